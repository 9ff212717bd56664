import type { SourceFile } from './source-file.ts'

/**
 * Returns the files that are loaded at start although some loaded file imports them on demand, each as `FILE, imported by FILE`. A single
 * static import loads a file, and everything that it imports, at every start.
 */
export function loadedTooEarly(files: readonly SourceFile[], start: string): readonly string[] {
  const importers = importersFrom(files, start)
  const loaded = files.filter(({ path }) => importers.has(path))
  const wanted = loaded.flatMap(({ imports }) => imports.flatMap(({ target, when }) => (when === 'on demand' ? [target] : [])))
  return [...new Set(wanted)].filter((path) => importers.has(path)).map((path) => `${path}, imported by ${importers.get(path)}`)
}

/** The packages that are loaded at start, sorted. */
export function loadedPackages(files: readonly SourceFile[], start: string): readonly string[] {
  const importers = importersFrom(files, start)
  const targets = files
    .filter(({ path }) => importers.has(path))
    .flatMap(({ imports }) => imports.flatMap(({ target, when }) => (when === 'at once' ? [target] : [])))
  const isPackage = (target: string): boolean => !target.startsWith('node:') && !files.some(({ path }) => path === target)
  return [...new Set(targets.filter(isPackage))].toSorted()
}

/** The files that are loaded at start, each with the file that imports it first. */
function importersFrom(files: readonly SourceFile[], start: string): ReadonlyMap<string, string> {
  const known = new Map(files.map((file) => [file.path, file]))
  const importers = new Map<string, string>([[start, start]])
  for (const path of importers.keys())
    for (const { target, when } of known.get(path)?.imports ?? [])
      if (when === 'at once' && known.has(target) && !importers.has(target)) importers.set(target, path)
  return importers
}

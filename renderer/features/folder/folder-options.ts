/** One line of the list below the path. */
export interface FolderOption {
  readonly folder: string
  readonly group: 'Recent' | 'Folders'
}

/** Returns the matching recent folders, then the completions of the path. No folder is listed twice. */
export function folderOptions(
  typed: string,
  recent: readonly string[],
  completed: readonly string[],
  home: string,
): readonly FolderOption[] {
  const wanted = expanded(typed.trim(), home).toLowerCase()
  const fitting =
    wanted === '' ? recent : recent.filter((folder) => folder.toLowerCase().includes(wanted) && expanded(folder, home) !== wanted)
  const known = new Set(fitting)
  return [
    ...fitting.map((folder) => ({ folder, group: 'Recent' }) as const),
    ...completed.filter((folder) => !known.has(expanded(folder, home))).map((folder) => ({ folder, group: 'Folders' }) as const),
  ]
}

/** Returns the content of the field after a completion, ready for the next part of the path. */
export function goingOn(folder: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/'
  return folder.endsWith(separator) ? folder : `${folder}${separator}`
}

/** Extracts the path from pasted text, because terminals quote or escape spaces, and file managers paste a file URL. */
export function meantPath(typed: string): string {
  const path = typed.trim()
  if (/^file:\/\//i.test(path)) return pathOfAddress(path)
  if (/^[/~]/.test(path)) return path.replace(/\\(?=[^\p{L}\p{N}])(.)/gu, '$1')
  const [, quote, rest] = /^(["'])([/~\\].*|[A-Za-z]:.*)$/s.exec(path) ?? []
  if (quote === undefined || rest === undefined) return path
  return rest.endsWith(quote) ? rest.slice(0, -1) : rest
}

/** The path of `file:///home/maya/my%20work` or `file:///C:/work`. Anything else is returned unchanged. */
function pathOfAddress(address: string): string {
  try {
    const path = decodeURIComponent(new URL(address).pathname)
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
  } catch {
    return address
  }
}

function expanded(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? `${home}${path.slice(1)}` : path
}

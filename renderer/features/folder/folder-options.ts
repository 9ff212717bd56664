/** One line of the list below the path. */
export interface FolderOption {
  readonly folder: string
  readonly group: 'Recent' | 'Folders'
}

/** Recent folders first, those that fit what was typed; then what the path could go on to. No folder twice. */
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

/** What the field holds after a completion was taken: ready for the next part of the path. */
export function goingOn(folder: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/'
  return folder.endsWith(separator) ? folder : `${folder}${separator}`
}

/** A path as it was meant: terminals put one with spaces in quotes or backslashes before them, file managers make an address of it. */
export function meantPath(typed: string): string {
  const path = typed.trim()
  if (/^file:\/\//i.test(path)) return pathOfAddress(path)
  if (/^[/~]/.test(path)) return path.replace(/\\(?=[^\p{L}\p{N}])(.)/gu, '$1')
  const [, quote, rest] = /^(["'])([/~\\].*|[A-Za-z]:.*)$/s.exec(path) ?? []
  if (quote === undefined || rest === undefined) return path
  return rest.endsWith(quote) ? rest.slice(0, -1) : rest
}

/** `file:///home/maya/my%20work` and `file:///C:/work`; what is no such address stays as it is. */
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

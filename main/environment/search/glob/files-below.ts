import { type Dirent, lstatSync, readdir } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import type { FileSystemAdapter } from 'tinyglobby'
import type { FolderRules } from '../ignore/folder-ignore-rules.ts'

export interface Below {
  readonly rules: FolderRules
  readonly caseSensitive: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Paths of the files below `folder` that may match one of these globs of letters and stars. The paths are relative to
 * `folder` and use `/`. They are found by tinyglobby, whose dialect differs in details, so the caller matches them again. Links are not
 * followed. Folders that cannot be read are skipped.
 */
export async function filesBelow(
  folder: string,
  globs: readonly string[],
  { rules, caseSensitive, signal }: Below,
): Promise<readonly string[]> {
  const tinyglobby = await import('tinyglobby')
  const files = { dot: true, expandDirectories: false, followSymbolicLinks: false, onlyFiles: true }
  const fs = withoutIgnored(folder, rules)
  // No file matches a glob that is empty, ends with a slash, or contains two slashes in a row, and tinyglobby would throw an error for it.
  const possible = globs.filter((glob) => !/^$|\/(?:\/|$)/u.test(glob))
  // To tinyglobby, a final `**` does not match names with a line break.
  const plain = possible.map((glob) => glob.replace(/(^|\/)\*\*$/u, '$1**/*'))
  const found = await tinyglobby.glob(plain, {
    ...files,
    cwd: folder,
    caseSensitiveMatch: caseSensitive,
    fs,
    ...(signal && { signal }),
  })
  signal?.throwIfAborted()
  return found
}

/** The file system without ignored entries. They are not listed, and not entered when a glob begins with their name. */
function withoutIgnored(root: string, rules: FolderRules): FileSystemAdapter {
  const known = new Map<string, FolderRules | null>([['', rules]])
  /** For each listed folder that is neither a link nor ignored: the rules of the folder that contains it. */
  const rulesAbove = new Map<string, FolderRules>()
  const rulesFor = (path: string): FolderRules | null => {
    const found = known.get(path)
    if (found !== undefined) return found
    const name = path.slice(path.lastIndexOf(sep) + 1)
    const own = rulesAbove.get(path)?.enter(name) ?? unlistedRules(path, name)
    known.set(path, own)
    return own
  }
  /** The literal beginning of a glob is entered without being listed, and may be a link. */
  const unlistedRules = (path: string, name: string): FolderRules | null => {
    const above = rulesFor(path.slice(0, Math.max(path.lastIndexOf(sep), 0)))
    const isLink = lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink() === true
    return above === null || isLink || above.ignores(name, true) ? null : above.enter(name)
  }
  type Callback = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void
  const listed = (path: string, options: { readonly withFileTypes: true }, callback: Callback): void => {
    const folder = relative(root, path)
    const above = known.has(folder) ? undefined : rulesAbove.get(folder)
    const start = above ?? rulesFor(folder)
    if (start === null) return callback(null, [])
    readdir(path, options, (error, entries) => {
      if (error) return callback(error, [])
      // Most folders have no rules of their own, and looking for the files that would contain them takes longer than the listing.
      const own = above === undefined ? start : above.enter(basename(folder), entries.some(hasRules))
      known.set(folder, own)
      callback(null, searched(entries, folder, own))
    })
  }
  const searched = (entries: Dirent[], folder: string, own: FolderRules): Dirent[] =>
    entries.filter((entry) => {
      const isFolder = entry.isDirectory()
      if (entry.isSymbolicLink() || own.ignores(entry.name, isFolder)) return false
      if (isFolder) rulesAbove.set(folder === '' ? entry.name : folder + sep + entry.name, own)
      return true
    })
  return { readdir: listed as typeof readdir }
}

const hasRules = ({ name }: Dirent): boolean => name === '.gitignore' || name === '.git'

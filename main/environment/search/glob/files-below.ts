import { type Dirent, lstatSync, readdir } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FileSystemAdapter } from 'tinyglobby'
import type { FolderRules } from '../ignore/folder-rules.ts'

export interface Below {
  readonly rules: FolderRules
  readonly caseSensitive: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Files below `folder` that may match one of these globs of literal characters, stars and braces, by tinyglobby (P2-51), named from there with `/`. Its
 * dialect is another in its corners: whoever asks looks again. Links are not followed, and a folder below that cannot be read is passed over.
 */
export async function filesBelow(
  folder: string,
  globs: readonly string[],
  { rules, caseSensitive, signal }: Below,
): Promise<readonly string[]> {
  const tinyglobby = await import('tinyglobby')
  const files = { dot: true, expandDirectories: false, followSymbolicLinks: false, onlyFiles: true }
  const fs = withoutIgnored(folder, rules)
  // Nothing is called so, and it would be thrown at.
  const plain = globs.map((glob) => plainly(glob)).filter((glob) => !/^$|\/(?:\/|$)/u.test(glob))
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

/** As tinyglobby reads it: what has no meaning here has none there, and its `**` at the end stops at a line break in a name. */
function plainly(glob: string): string {
  const plain = glob.replaceAll(/\\[^]|\{[^{},]*\}|[()!+@|]/gu, (piece) => {
    if (piece.startsWith('\\')) return piece
    return piece.startsWith('{') ? piece.slice(1, -1) : `\\${piece}`
  })
  return plain.replace(/(^|\/)\*\*$/u, '$1**/*')
}

/** The file system as searches see it: what is left out is never listed, nor entered where a glob begins with its name. */
function withoutIgnored(root: string, rules: FolderRules): FileSystemAdapter {
  const known = new Map<string, FolderRules | null>([['', rules]])
  const rulesFor = (path: string): FolderRules | null => {
    const found = known.get(path)
    if (found !== undefined) return found
    const slash = path.lastIndexOf(sep)
    const [above, name] = [rulesFor(path.slice(0, Math.max(slash, 0))), path.slice(slash + 1)]
    // a plain beginning of a glob is entered unlisted: it may be a link (C9)
    const isLink = lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink() === true
    const own = above === null || isLink || above.ignores(name, true) ? null : above.enter(name)
    known.set(path, own)
    return own
  }
  type Callback = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void
  const listed = (path: string, options: { readonly withFileTypes: true }, callback: Callback): void => {
    const folder = relative(root, path)
    const own = rulesFor(folder)
    if (own === null) return callback(null, [])
    readdir(path, options, (error, entries) => {
      if (error) return callback(error, [])
      callback(null, searched(entries, folder, own))
    })
  }
  /** What is listed has been looked at: its folders are no links, and no rule leaves them out. */
  const searched = (entries: Dirent[], folder: string, own: FolderRules): Dirent[] =>
    entries.filter((entry) => {
      const isFolder = entry.isDirectory()
      if (entry.isSymbolicLink() || own.ignores(entry.name, isFolder)) return false
      if (isFolder) known.set(folder === '' ? entry.name : folder + sep + entry.name, own.enter(entry.name))
      return true
    })
  return { readdir: listed as typeof readdir }
}

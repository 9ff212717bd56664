import { chmodSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What is at a path: the text of a file, `FOLDER`, the text of an executable file, or the target of a link. Null if there is nothing. */
export type Entry = string | null

export const FOLDER = '@folder'
const EXECUTABLE = '@executable '
const LINK = '@link '

export const linkTo = (target: string): string => `${LINK}${target}`
export const executable = (text: string): string => `${EXECUTABLE}${text}`
export const isLink = (entry: Entry): boolean => entry?.startsWith(LINK) === true
export const isExecutable = (entry: Entry): boolean => entry?.startsWith(EXECUTABLE) === true

/** Returns the text of a file or the target of a link. Null if there is a folder or nothing at the path. */
export function textOf(entry: Entry): string | null {
  if (entry === null || entry === FOLDER) return null
  const prefix = [EXECUTABLE, LINK].find((kind) => entry.startsWith(kind)) ?? ''
  return entry.slice(prefix.length)
}

export function entryAt(path: string): Entry {
  try {
    const found = lstatSync(path)
    if (found.isSymbolicLink()) return linkTo(readlinkSync(path))
    if (found.isDirectory()) return FOLDER
    const text = readFileSync(path, 'utf8')
    return found.mode & 0o100 ? executable(text) : text
  } catch {
    return null
  }
}

/** Creates this entry and the folders above it. Replaces whatever is in the way. */
export function makeEntry(folder: string, path: string, entry: Entry): void {
  const at = join(folder, path)
  if (entry !== null) makeFolders(folder, dirname(path))
  if (entry === FOLDER && entryAt(at) === FOLDER) return
  const isFile = entry !== null && entry !== FOLDER && !isLink(entry)
  if (!isFile || [FOLDER, LINK].some((kind) => entryAt(at)?.startsWith(kind))) rmSync(at, { recursive: true, force: true })
  if (entry === null) return
  if (entry === FOLDER) {
    mkdirSync(at)
    return
  }
  const text = textOf(entry) ?? ''
  if (isLink(entry)) return symlinkSync(text, at)
  writeFileSync(at, text)
  chmodSync(at, isExecutable(entry) ? 0o755 : 0o644)
}

function makeFolders(folder: string, path: string): void {
  if (path === '.') return
  makeFolders(folder, dirname(path))
  if (entryAt(join(folder, path)) === FOLDER) return
  rmSync(join(folder, path), { force: true })
  mkdirSync(join(folder, path))
}

/** Whether the two paths are equal or one of them is inside the other. */
export const isRelated = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

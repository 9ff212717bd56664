import { posix } from 'node:path'
import type { CommandWord } from './command-word.ts'

/** The folders in which a command may run. Null if known only at run time. */
export type Folders = readonly string[] | null

/**
 * Where the shell is after a command. `ok`: if it succeeded. `any`: whether or not it succeeded or ran at all, so the folders from before
 * are included.
 */
export interface ShellFolders {
  readonly ok: Folders
  readonly any: Folders
}

/** Maximum number of folders. No sensible line needs more. */
const MAX_FOLDERS = 8

export const unmoved = (folders: Folders): ShellFolders => ({ ok: folders, any: folders })

export function union(some: Folders, others: Folders): Folders {
  if (some === null || others === null) return null
  const all = [...new Set([...some, ...others])]
  return all.length > MAX_FOLDERS ? null : all
}

/** Builtins that change the shell's folder (`MOVES`), and builtins that may change it (`MAY_MOVE`). */
const MOVES: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd'])
const MAY_MOVE: ReadonlySet<string> = new Set(['eval', 'source', '.', 'trap', 'alias', 'shopt', 'enable'])

/** Where the shell is after a command. `..` is kept in a path: its meaning after a link depends on the disk. */
export function foldersAfter(words: readonly CommandWord[], sets: readonly string[], folders: Folders): ShellFolders {
  const [program, ...rest] = words
  if (program === undefined) return unmoved(folders)
  if (program.text === 'command' || program.text === 'builtin') return foldersAfter(rest, sets, folders)
  const isPhysical = program.text === 'set' && rest.some(({ text }) => /^-\w*P|^physical$/u.test(text))
  if (program.kind !== 'literal' || !isMove(program.text)) return unmoved(MAY_MOVE.has(program.text) || isPhysical ? null : folders)
  const [target, ...more] = rest.filter(({ text }) => text !== '--')
  const isKnown = target?.kind === 'literal' && more.length === 0 && sets.length === 0 && !/^[-+]/u.test(target.text)
  if (!isKnown || program.text === 'popd' || folders === null) return { ok: null, any: null }
  const moved = folders.map((folder) => joined(folder, target.text))
  return { ok: moved, any: union(folders, moved) }
}

export const isMove = (program: string): boolean => MOVES.has(program)

/** Returns `path` as a command in `folder` would use it, without resolving `..`. An absolute path is returned unchanged. */
export function joined(folder: string, path: string): string {
  if (path.startsWith('/')) return path
  return path.split('/').includes('..') ? `${folder.replace(/\/$/u, '')}/${path}` : posix.join(folder, path)
}

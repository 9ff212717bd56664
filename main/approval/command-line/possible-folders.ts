import { posix } from 'node:path'
import type { CommandWord } from './command-word.ts'

/** The folders in which a command may run; null: known only at run time. */
export type Folders = readonly string[] | null

/** `ok`: the shell's folder if the command succeeded; `any`: whether or not it succeeded. */
export interface Standing {
  readonly ok: Folders
  readonly any: Folders
}

/** More folders than a line has a use for. */
const MAX_FOLDERS = 8

export const staying = (folders: Folders): Standing => ({ ok: folders, any: folders })

export function together(some: Folders, others: Folders): Folders {
  if (some === null || others === null) return null
  const all = [...new Set([...some, ...others])]
  return all.length > MAX_FOLDERS ? null : all
}

/** Words of the shell that move it, and those that may. */
const MOVES: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd'])
const UNTOLD: ReadonlySet<string> = new Set(['eval', 'source', '.', 'trap', 'alias', 'shopt', 'enable'])

/** Where a command leaves the shell. `..` is kept in a path: its meaning after a link depends on the disk. */
export function after(words: readonly CommandWord[], sets: readonly string[], folders: Folders): Standing {
  const [program, ...rest] = words
  if (program === undefined) return staying(folders)
  if (program.text === 'command' || program.text === 'builtin') return after(rest, sets, folders)
  const isPhysical = program.text === 'set' && rest.some(({ text }) => /^-\w*P|^physical$/u.test(text))
  if (program.kind !== 'literal' || !isMove(program.text)) return staying(UNTOLD.has(program.text) || isPhysical ? null : folders)
  const [target, ...more] = rest.filter(({ text }) => text !== '--')
  const isKnown = target?.kind === 'literal' && more.length === 0 && sets.length === 0 && !/^[-+]/u.test(target.text)
  if (!isKnown || program.text === 'popd' || folders === null) return { ok: null, any: null }
  const gone = folders.map((folder) => joined(folder, target.text))
  return { ok: gone, any: together(folders, gone) }
}

export const isMove = (program: string): boolean => MOVES.has(program)

/** A path as a command in `folder` names it. */
export function joined(folder: string, path: string): string {
  if (path.startsWith('/')) return path
  return path.split('/').includes('..') ? `${folder.replace(/\/$/u, '')}/${path}` : posix.join(folder, path)
}

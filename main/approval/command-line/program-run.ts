import { posix } from 'node:path'
import type { Command, Redirection } from 'unbash'
import { type CommandWord, readCommandWord } from './command-word.ts'

/**
 * One program that a line runs, or a group's redirects. It may be anywhere in the line, including in a substitution or in a script that the
 * line passes to a shell.
 */
export interface Run {
  /** The program and its arguments. Empty if the command only sets variables or redirects. */
  readonly words: readonly CommandWord[]
  /** Names of the variables that the command sets, and their values. */
  readonly sets: readonly string[]
  readonly values: readonly CommandWord[]
  readonly writesTo: readonly CommandWord[]
  readonly readsFrom: readonly CommandWord[]
  /** The texts of the command's here-documents. */
  readonly bodies: readonly string[]
  /** What the command may read as input, as far as the text shows: the words of the command before it in the pipe, and here-strings. */
  readonly input: readonly CommandWord[]
  readonly folders: Folders
  /** Position (in characters) of the outermost command that contains this program. */
  readonly at: number
}

type Redirects = Pick<Run, 'writesTo' | 'readsFrom' | 'bodies'> & { readonly strings: readonly CommandWord[] }

/** The program and the arguments of a command. Assignments after `export` and similar words are arguments too. */
export function wordsOf(command: Command, home: string | null): readonly CommandWord[] {
  const name = command.name ? readCommandWord(command.name, home) : []
  const rest = command.args.flatMap((each) =>
    each.type === 'Word' ? readCommandWord(each, home) : [{ text: each.text, kind: 'unknown' as const }],
  )
  return [...name, ...rest]
}

/** The variables that a command sets, for itself or for the shell. */
export function setsOf(command: Command, home: string | null): Pick<Run, 'sets' | 'values'> {
  const assignments = [...command.prefix, ...command.suffix].flatMap((each) => (each.type === 'Assignment' ? [each] : []))
  const values = assignments.flatMap(({ value }) => (value.type === 'Word' ? [value] : value.elements))
  return { sets: assignments.map(({ name }) => name), values: values.flatMap((value) => readCommandWord(value, home)) }
}

export function redirectsOf(redirects: readonly Redirection[], home: string | null): Redirects {
  const writesTo: CommandWord[] = []
  const readsFrom: CommandWord[] = []
  const bodies: string[] = []
  const strings: CommandWord[] = []
  for (const each of redirects) {
    if (each.type === 'HereDoc') {
      bodies.push(each.body.text)
      continue
    }
    const target = each.target ? readCommandWord(each.target, home) : []
    if (each.type === 'HereString') strings.push(...target)
    else if (each.operator === '<') readsFrom.push(...target)
    else if (!isDescriptor(each.operator, target)) writesTo.push(...target)
  }
  return { writesTo, readsFrom, bodies, strings }
}

/** `2>&1`, `>&-`. */
function isDescriptor(operator: string, target: readonly CommandWord[]): boolean {
  return (operator === '>&' || operator === '<&') && target.every(({ text, kind }) => kind === 'literal' && /^\d*-?$/u.test(text))
}

/** The folders in which a command may run. Null if known only at run time. */
export type Folders = readonly string[] | null

/** Where the shell is after a command. `ok`: if it succeeded. `any`: whether or not it succeeded. */
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

/** Builtins that change the shell's folder, and those that may. */
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

/** Joins `folder` and a path that a command in that folder uses. */
export function joined(folder: string, path: string): string {
  if (path.startsWith('/')) return path
  return path.split('/').includes('..') ? `${folder.replace(/\/$/u, '')}/${path}` : posix.join(folder, path)
}

import type { Command, Redirection } from 'unbash'
import { type CommandWord, readCommandWord } from './command-word.ts'
import type { Folders } from './shell-folders.ts'

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

import type { Command, Redirection } from 'unbash'
import { type CommandWord, readCommandWord } from './command-word.ts'

/** One program that a line runs, or one redirect of several: somewhere in it, also in a substitution or in a script that it hands to a shell. */
export interface Run {
  /** The program and its arguments; empty where the command only sets variables or redirects. */
  readonly words: readonly CommandWord[]
  /** Names of the variables that it sets, and their values. */
  readonly sets: readonly string[]
  readonly values: readonly CommandWord[]
  readonly writesTo: readonly CommandWord[]
  readonly readsFrom: readonly CommandWord[]
  /** The texts of its here-documents. */
  readonly bodies: readonly string[]
  /** What it may read as input, as far as the text shows: the words before it in the pipe, and here-strings. */
  readonly input: readonly CommandWord[]
  /** The folders in which it may run; null: known only at run time. */
  readonly folders: readonly string[] | null
  /** The place in the line of the command that it belongs to, in characters. */
  readonly at: number
}

type Redirects = Pick<Run, 'writesTo' | 'readsFrom' | 'bodies'> & { readonly strings: readonly CommandWord[] }

/** The program and the arguments of a command; assignments after `export` and the like are words, too. */
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

import { type CommandJudgement, HARMLESS } from './command-judgement.ts'
import { DESTROYING_PROGRAMS } from './destructive-programs.ts'
import { type CommandPlace, isControlOperand, liesOutside } from './operand-place.ts'
import { programOf } from './program-words.ts'
import type { ShellWord, SimpleCommand } from './shell-words.ts'

/** Where the operands that a program writes stand. */
type Written = 'all' | 'last' | 'none'

const WRITERS: ReadonlyMap<string, Written> = new Map([
  ['tee', 'all'],
  ['touch', 'all'],
  ['mv', 'all'],
  ['cp', 'last'],
  // A hard link is another name of its source, which is then written through it.
  ['ln', 'all'],
  ['install', 'last'],
  ['rsync', 'last'],
  ['scp', 'last'],
])

/** Options whose value is a file that is written, by program. */
const OUTPUT_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['curl', /^(?:-o|--output)$/u],
  ['wget', /^(?:-O|--output-document)$/u],
  ['sort', /^(?:-o|--output)$/u],
  ['cp', /^(?:-t|--target-directory)$/u],
  ['mv', /^(?:-t|--target-directory)$/u],
])

/** Places for things of no lasting worth: writing there counts as inside. */
const PASSING = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/./u

/**
 * What one simple command writes as far as its words say: the targets of redirections and the operands of the usual programs. `isLost`:
 * it runs in a folder that the line does not tell, so a relative path may be anywhere.
 */
export function writes({ writesTo }: SimpleCommand, words: readonly ShellWord[], place: CommandPlace, isLost: boolean): CommandJudgement {
  const targets = [...writesTo, ...operandsWritten(words)].map(({ text }) => text).filter((text) => !text.startsWith('/dev/'))
  const control = configOf(words) ?? targets.find((text) => isControlOperand(text, place)) ?? null
  const mayLieOutside = (text: string): boolean => (isLost && !text.startsWith('/')) || (liesOutside(text, place) && !PASSING.test(text))
  return { ...HARMLESS, control, beyond: targets.some(mayLieOutside) }
}

function operandsWritten([name, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  if (name === undefined) return []
  const program = programOf(name)
  const option = OUTPUT_OPTIONS.get(program)
  const named = option ? rest.filter((_, at) => option.test(rest[at - 1]?.text ?? '')) : []
  const operands = rest.filter((word) => !word.text.startsWith('-'))
  switch (writtenBy(program, rest)) {
    case 'all':
      return [...named, ...operands]
    case 'last':
      return [...named, ...operands.slice(-1)]
    case 'none':
      return named
  }
}

function writtenBy(program: string, rest: readonly ShellWord[]): Written {
  if (DESTROYING_PROGRAMS.has(program)) return 'all'
  const inPlace = (program === 'sed' || program === 'perl') && rest.some(({ text }) => /^-[a-zA-Z]*i|^--in-place/u.test(text))
  return inPlace ? 'all' : (WRITERS.get(program) ?? 'none')
}

/** `git config` can name programs that the next git command runs. */
function configOf([name, verb, ...rest]: readonly ShellWord[]): string | null {
  if (name === undefined || programOf(name) !== 'git' || verb?.text !== 'config') return null
  const reads = rest.some(({ text }) => /^(?:--get\S*|--list|-l|get|list)$/u.test(text)) || rest.length < 2
  return reads ? null : "git's configuration"
}

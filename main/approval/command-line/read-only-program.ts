import type { CommandWord } from './command-word.ts'
import { LOG_FLAGS, READ_ONLY_PROGRAM_TABLE } from './read-only-program-table.ts'

/** One line of `READ_ONLY_PROGRAM_TABLE`. */
export interface ReadOnlyProgram {
  readonly isTame: boolean
  /** `short`: letters of short flags without a value. `valued`: letters of short flags with a value. */
  readonly short: string
  readonly valued: string
  readonly counts: boolean
  readonly long: ReadonlySet<string>
  /** Flags that are whole words, dashes included. `named`: flags without a value. `namedValued`: flags whose value is the next word. */
  readonly named: ReadonlySet<string>
  readonly namedValued: ReadonlySet<string>
  readonly operands: string
  readonly source: string
}

export const READ_ONLY_PROGRAMS: ReadonlyMap<string, ReadOnlyProgram> = new Map(READ_ONLY_PROGRAM_TABLE.trim().split('\n').map(rowOf))

function rowOf(line: string): readonly [string, ReadOnlyProgram] {
  const [program = '', flags = '', names = '', operands = '', source = ''] = line.split(' | ').map((cell) => cell.trim())
  const [short = '', valued = ''] = flags.replace('#', '').split(':')
  const [plain = '', taking = ''] = names.replace('@log', LOG_FLAGS.trim()).split(' : ')
  const words = plain.split(/\s+/u)
  const row = {
    isTame: program.endsWith(' !'),
    short,
    valued,
    counts: flags.includes('#'),
    operands,
    source,
    long: new Set(words.filter((word) => word !== '' && !word.startsWith('-'))),
    named: new Set(words.filter((word) => word.startsWith('-'))),
    namedValued: new Set(taking.split(' ').map((word) => (word.startsWith('-') ? word : `-${word}`))),
  }
  return [program.replace(/ !$/u, ''), row]
}

/** The operands among the arguments of a program. Null if a flag may make the program do more than read. */
export function operandsOf(row: ReadOnlyProgram, args: readonly CommandWord[]): readonly CommandWord[] | null {
  const operands: CommandWord[] = []
  let isAfterDashes = false
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined || word.kind === 'unknown' || mayStartProgram(word.text)) return null
    if (isAfterDashes || word.text === '-' || !word.text.startsWith('-')) {
      // A pattern may match a file whose name is a flag.
      const mayBeFlag = word.kind === 'pattern' && /^[*?[]/u.test(word.text) && !row.isTame && !isAfterDashes
      if (mayBeFlag) return null
      operands.push(word)
    } else if (word.text === '--') isAfterDashes = true
    else {
      const taken = takenBy(row, word)
      if (taken === null) return null
      const value = taken === 1 ? args[at + 1] : undefined
      if (taken === 1 && (value?.kind !== 'literal' || mayStartProgram(value.text))) return null
      at += taken
    }
  }
  return operands
}

/** git runs gpg for these parts of a format. */
const mayStartProgram = (text: string): boolean => /%G|%\(\*?signature/u.test(text)

/** How many of the next words belong to a flag. Null if it is not certain that the program only reads with this flag. */
function takenBy({ short, valued, counts, long, named, namedValued }: ReadOnlyProgram, { text, kind }: CommandWord): 0 | 1 | null {
  // A name that matches a pattern such as `--flag=*` begins with the same flag.
  if (kind !== 'literal' && !/^--[a-z-]+=/u.test(text)) return null
  if (named.has(text)) return 0
  if (namedValued.has(text)) return 1
  if (text.startsWith('--')) return long.has(text.slice(2).replace(/=.*$/su, '')) ? 0 : null
  if (counts && /^-\d+$/u.test(text)) return 0
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (valued.includes(letter)) return at === text.length - 1 ? 1 : 0
    if (!short.includes(letter)) return null
  }
  return 0
}

const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\[^\n])*/)`
const SED = String.raw`(?:${ADDRESS}(?:, ?${ADDRESS})? ?[pdq=]|s/(?:[^/\\\n]|\\[^\n])*/(?:[^/\\\n]|\\[^\n])*/[gpiI\d]*)`
const AWK_ITEM = String.raw`(?:\$\d+|\$NF|NR|NF|"[^"\\]*")`
const AWK_TEST = String.raw`(?:/[^/\\]*/|NR ?(?:==|<=|<) ?\d+|\$\d+ ?(?:==|!=|~) ?(?:\d+|"[^"\\]*"|/[^/\\]*/))`
const AWK = String.raw` ?(?:${AWK_TEST} ?)?(?:\{ ?print(?: ${AWK_ITEM}(?:,? ?${AWK_ITEM})*)? ?\})? ?`

/**
 * The forms that a first operand must have, each under its keyword in the table. After a script (`sed`, `awk`, `jq`), the remaining
 * operands are paths.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  sed: new RegExp(`^${SED}$`, 'u'),
  awk: new RegExp(`^${AWK}$`, 'u'),
  jq: /^(?![^]*(?:import|include|modulemeta))/u,
  format: /^\+/u,
  letters: /^(?:aux?|ax|auxww?)$/u,
}

/** The operands that are paths. Null if the operands may make the program do more than read. */
export function pathsOf({ operands: kind }: ReadOnlyProgram, operands: readonly CommandWord[]): readonly CommandWord[] | null {
  const [first, ...rest] = operands
  switch (kind) {
    case 'none':
      return first === undefined ? [] : null
    case 'texts':
      return operands.every((word) => word.kind === 'literal') ? [] : null
    case 'path':
      return rest.length === 0 && first?.kind !== 'pattern' ? operands : null
    case 'paths':
      return operands
    case 'plain-paths':
      return operands.some(({ text }) => text.startsWith('@')) ? null : operands
    case 'printf':
      return operands.every((word) => word.kind === 'literal') && !/%[-+ #'*.\d()hlLjztq]*n/u.test(first?.text ?? '') ? [] : null
    case 'format':
    case 'letters':
      return first === undefined || (rest.length === 0 && first.kind === 'literal' && FORMS[kind]?.test(first.text)) ? [] : null
    case 'text+paths':
      return first?.kind === 'literal' ? rest : null
    default:
      if (first === undefined) return null
      return first.kind === 'literal' && FORMS[kind]?.test(first.text) ? rest : null
  }
}

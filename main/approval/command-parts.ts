import type { CommandPart } from '../../shared/session/effects.ts'
import { withoutArithmetic } from './arithmetic.ts'
import { joints } from './shell-words.ts'

/** What joins two commands; empty: a new line. */
const OPERATORS: ReadonlySet<string> = new Set(['', ';', '&', '&&', '|', '||', '|&'])
/** Words that begin or go on with a compound command: what follows them is no part by itself. */
const RESERVED = /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|\{|\})(?=$|[\s;])/u
/** Longer lines are shown as they are: nobody counts their parts. */
const MOST_CHARS = 20_000

/**
 * The commands of a line one by one, as the parse that judges it cuts them, to be read one by one. Empty where there is only one, and
 * where the line is more than a plain list (groups, loops, here-documents, arithmetic): nothing is guessed. The parts and what joins them
 * are the whole line, blanks and newlines between them aside.
 */
export function commandParts(command: string): readonly CommandPart[] {
  if (command.length > MOST_CHARS || command.includes('\r') || withoutArithmetic(command) !== command) return []
  const places = joints(command)
  if (places === null) return []
  const parts = cut(command, places)
  const isWhole = bare(parts.map(({ operator, text }) => operator + text).join('')) === bare(command)
  const isPlain = parts.every(({ operator, text }) => OPERATORS.has(operator) && !RESERVED.test(text))
  return isWhole && isPlain && parts.length > 1 ? parts : []
}

function cut(command: string, places: readonly number[]): readonly CommandPart[] {
  const parts: CommandPart[] = []
  let from = 0
  let operator = ''
  for (const at of places) {
    const text = trimmed(command.slice(from, at))
    const joint = command[at] === '\n' ? '' : (command[at] ?? '')
    if (text === '') operator += joint
    else {
      parts.push({ operator, text })
      operator = joint
    }
    from = at + 1
  }
  const last = trimmed(command.slice(from))
  if (last !== '') parts.push({ operator, text: last })
  const before = parts.at(-1)
  // what ends the line joins nothing: it belongs to the part before
  if (last === '' && before && operator !== '') parts.splice(-1, 1, { ...before, text: `${before.text} ${operator}` })
  return parts
}

/** Without the blanks that part words to a shell; others are characters of a word. */
const trimmed = (text: string): string => text.replace(/^[ \t]+|(?<!\\)[ \t]+$/gu, '')

const bare = (text: string): string => text.replace(/[ \t\n]/gu, '')

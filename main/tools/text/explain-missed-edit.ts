import { byReader, modelOnly, type Reason, reason } from '../../agent/reason.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { closestRegion } from './closest-region.ts'
import type { EditMiss } from './edit-bytes.ts'
import { type TextForm, decodeText, encodingName } from './encoding.ts'

/** Maximum size in bytes of a file in which the closest region is searched for. */
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024
/** Maximum number of lines that are shown of the closest region. */
const SHOWN_LINES = 30
/** Maximum number of characters of each line. */
const LINE_CHARS = 400

/** The two texts of an edit, at the beginning of a sentence. */
export const OLD_TEXT = byReader('old_string', 'The text to replace')
export const NEW_TEXT = byReader('new_string', 'The new text')

/** Explains to the model why an edit was not made and what to send instead. `shown` is the file's name. */
export function explainMissedEdit(miss: EditMiss, shown: string, old: string, bytes: Uint8Array, form: TextForm): Reason {
  switch (miss.kind) {
    case 'absent':
      return reason`${OLD_TEXT} was not found in ${shown}. Nothing was changed. ${hint(old, bytes, form)}`
    case 'several':
      return reason`${OLD_TEXT} occurs ${miss.count} times in ${shown}, beginning at ${inLines(miss)}. Nothing was changed. ${modelOnly('Add lines around it until it is unique, or set replace_all.')}`
    case 'encoding':
      if (form.encoding !== 'unknown' && miss.which !== 'place')
        return reason`${shown} is in ${encodingName(form.encoding)}, and ${INNER[miss.which]} contains a character that this encoding lacks. Nothing was changed.`
      return reason`${shown} is not UTF-8 or UTF-16, ${ENCODING[miss.which]} Nothing was changed.`
    case 'unchanged':
      return reason`The edit would not change ${shown}.`
    default:
      return assertNever(miss, 'miss')
  }
}

/** The two texts within a sentence. */
const INNER = { old: byReader('old_string', 'the text to replace'), new: byReader('new_string', 'the new text') } as const

const ENCODING = {
  old: reason`so only ASCII text in it can be matched reliably, and ${INNER.old} contains other characters.`,
  new: reason`so only ASCII text can be put into it, and ${INNER.new} contains other characters.`,
  place: reason`and ${INNER.old} may begin inside a character of it. ${modelOnly('Begin it with an earlier ASCII character.')}`,
} as const

/** A loose match for which it is unclear which whitespace the new text needs in the file. */
export interface UnclearPlace {
  /** The new line whose whitespace is unclear. */
  readonly line: string
  readonly what: 'indentation' | 'nesting' | 'whitespace'
  /** Line number, from 1. */
  readonly firstLine: number
  readonly lines: readonly string[]
}

/** Returns the end of a sentence that begins with what was found. It gives the problem and what to send instead. */
export function unclearWords({ line, what, firstLine, lines }: UnclearPlace): Reason {
  const name = `"${line.trim().slice(0, LINE_CHARS).toWellFormed()}"`
  const why =
    what === 'whitespace'
      ? `${name} has whitespace or quotes that the file writes differently`
      : `the indentation of ${name} there is unclear`
  const copy = modelOnly(`\nCopy the lines exactly as the file has them${marksIn(lines)}, and write the new text the same way:`)
  const shown = numbered(firstLine, lines).join('\n')
  return reason`with different whitespace or punctuation, at line ${firstLine}, and ${why}. Nothing was changed.${copy}\n${shown}`
}

/** Names the characters in the lines that a reader easily overlooks. */
function marksIn(lines: readonly string[]): string {
  const text = lines.join('\n')
  const marks = [
    ...(text.includes('\t') ? ['tabs'] : []),
    ...(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/u.test(text) ? ['no-break spaces'] : []),
    ...(/[\u2018-\u201f]/u.test(text) ? ['curly quotes'] : []),
    ...(/[\u2010-\u2015\u2212]/u.test(text) ? ['long dashes'] : []),
  ]
  return marks.length === 0 ? '' : ` (they contain ${marks.join(' and ')})`
}

function numbered(firstLine: number, lines: readonly string[]): readonly string[] {
  const shown = lines
    .slice(0, SHOWN_LINES)
    .map((line, index) => `${String(firstLine + index).padStart(6)}\t${line.slice(0, LINE_CHARS).toWellFormed()}`)
  return lines.length > SHOWN_LINES ? [...shown, `(${lines.length - SHOWN_LINES} more lines)`] : shown
}

function inLines({ lines, count }: { readonly lines: readonly number[]; readonly count: number }): string {
  const more = count > lines.length ? ' and more' : ''
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
}

function hint(old: string, bytes: Uint8Array, form: TextForm): Reason {
  if (/^\s*\d+\t/u.test(old))
    return reason`It begins with a line number. ${modelOnly('Leave out the numbers that precede each line in the output of a read.')}`
  if (bytes.length > MAX_SEARCHED_BYTES) return modelOnly('Read the part that you mean again and copy it exactly.')
  const text = decodeText(bytes.subarray(form.bom), form.encoding)
  const mistake = mistakeIn(old, text.replaceAll('\r\n', '\n'))
  if (mistake !== null) return mistake
  const region = closestRegion(text, old)
  if (region === null) return reason`Nothing in the file is similar. ${modelOnly('Read the file again.')}`
  const { firstLine, lines, onlyIn } = region
  const why = onlyIn === null ? 'The closest lines are:' : `It differs from these lines only in ${onlyIn}:`
  return reason`${[why, ...numbered(firstLine, lines)].join('\n')}`
}

/** A common mistake in the model's text, such as line numbers that the file does not contain; null if none was found. */
function mistakeIn(old: string, text: string): Reason | null {
  const unnumbered = old.replaceAll(/^ *\d+(?:\t| ?[:|] ?)/gmu, '')
  if (unnumbered !== old && text.includes(unnumbered))
    return reason`The text is in the file without the line numbers${byReader(': leave them out.', '.')}`
  const unescaped = old.replaceAll(/\\([nt"'`\\])/gu, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char))
  if (unescaped === old || !text.includes(unescaped)) return null
  const sendExact = ': send line breaks, tabs and quotes exactly as in the file, in new_string too.'
  return reason`The text is in the file without the backslashes${byReader(sendExact, '.')}`
}

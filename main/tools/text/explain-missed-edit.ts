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

/** Explains to the model why an edit was not made and what to send instead. `shown` is the file's name. */
export function explainMissedEdit(miss: EditMiss, shown: string, old: string, bytes: Uint8Array, form: TextForm): string {
  switch (miss.kind) {
    case 'absent':
      return `old_string was not found in ${shown}. Nothing was changed. ${hint(old, bytes, form)}`
    case 'several':
      return (
        `old_string occurs ${miss.count} times in ${shown}, beginning at ${inLines(miss)}. Nothing was changed. ` +
        'Add lines around it until it is unique, or set replace_all.'
      )
    case 'encoding':
      if (form.encoding !== 'unknown' && miss.which !== 'place')
        return `${shown} is in ${encodingName(form.encoding)}, and ${miss.which}_string contains a character that this encoding lacks. Nothing was changed.`
      return `${shown} is not UTF-8 or UTF-16, ${ENCODING[miss.which]} Nothing was changed.`
    case 'unchanged':
      return `The edit would not change ${shown}.`
    default:
      return assertNever(miss, 'miss')
  }
}

const ENCODING = {
  old: 'so only ASCII text in it can be matched reliably, and old_string contains other characters.',
  new: 'so only ASCII text can be put into it, and new_string contains other characters.',
  place: 'and old_string may begin inside a character of it. Begin it with an earlier ASCII character.',
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
export function unclearWords({ line, what, firstLine, lines }: UnclearPlace): string {
  const name = `"${line.trim().slice(0, LINE_CHARS).toWellFormed()}"`
  const why =
    what === 'whitespace'
      ? `${name} has whitespace or quotes that the file writes differently`
      : `the indentation of ${name} there is unclear`
  return [
    `with different whitespace or punctuation, at line ${firstLine}, and ${why}. Nothing was changed.`,
    `Copy the lines exactly as the file has them${marksIn(lines)}, and write the new text the same way:`,
    ...numbered(firstLine, lines),
  ].join('\n')
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

function hint(old: string, bytes: Uint8Array, form: TextForm): string {
  if (/^\s*\d+\t/u.test(old)) return 'It begins with a line number. Leave out the numbers that precede each line in the output of a read.'
  if (bytes.length > MAX_SEARCHED_BYTES) return 'Read the part that you mean again and copy it exactly.'
  const text = decodeText(bytes.subarray(form.bom), form.encoding)
  const mistake = mistakeIn(old, text.replaceAll('\r\n', '\n'))
  if (mistake !== null) return mistake
  const region = closestRegion(text, old)
  if (region === null) return 'Nothing in the file is similar. Read the file again.'
  const { firstLine, lines, onlyIn } = region
  const why = onlyIn === null ? 'The closest lines are:' : `It differs from these lines only in ${onlyIn}:`
  return [why, ...numbered(firstLine, lines)].join('\n')
}

/** A common mistake in the model's text, such as line numbers that the file does not contain; null if none was found. */
function mistakeIn(old: string, text: string): string | null {
  const unnumbered = old.replaceAll(/^ *\d+(?:\t| ?[:|] ?)/gmu, '')
  if (unnumbered !== old && text.includes(unnumbered)) return 'The text is in the file without the line numbers: leave them out.'
  const unescaped = old.replaceAll(/\\([nt"'`\\])/gu, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char))
  if (unescaped === old || !text.includes(unescaped)) return null
  return 'The text is in the file without the backslashes: send line breaks, tabs and quotes exactly as in the file, in new_string too.'
}

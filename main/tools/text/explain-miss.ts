import { assertNever } from '../../../shared/lib/assert-never.ts'
import { closestRegion } from './closest-region.ts'
import type { EditMiss } from './edit-bytes.ts'
import { type TextForm, decodeText } from './encoding.ts'

/** Bytes of a file in which a closest region is looked for. */
const MOST_BYTES = 4 * 1024 * 1024
/** Lines of a closest region that are shown. */
const SHOWN_LINES = 30
/** Characters of each. */
const LINE_CHARS = 400

/** Why an edit was not made, so that the next try can succeed. `shown`: the file's name. */
export function explainMiss(miss: EditMiss, shown: string, old: string, bytes: Uint8Array, form: TextForm): string {
  switch (miss.kind) {
    case 'absent':
      return `old_string was not found in ${shown}. Nothing was changed. ${hint(old, bytes, form)}`
    case 'several':
      return (
        `old_string occurs ${miss.count} times in ${shown}, beginning at ${inLines(miss)}. Nothing was changed. ` +
        'Add lines around it until it is unique, or set replace_all.'
      )
    case 'encoding':
      return `${shown} is not UTF-8 or UTF-16, ${ENCODING[miss.which]} Nothing was changed.`
    case 'unchanged':
      return `The edit would leave ${shown} as it is: it already reads so.`
    default:
      return assertNever(miss, 'miss')
  }
}

const ENCODING = {
  old: 'so only ASCII text in it can be named for certain, and old_string holds other characters.',
  new: 'so only ASCII text can be put into it, and new_string holds other characters.',
  place: 'and old_string may begin inside a character of it. Begin it with an earlier ASCII character.',
} as const

function inLines({ lines, count }: { readonly lines: readonly number[]; readonly count: number }): string {
  const more = count > lines.length ? ' and further ones' : ''
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
}

function hint(old: string, bytes: Uint8Array, form: TextForm): string {
  if (/^\s*\d+\t/u.test(old)) return 'It begins with a line number: leave out the numbers that read_file puts before each line.'
  if (bytes.length > MOST_BYTES) return 'Read the part that you mean again and copy it exactly.'
  const text = decodeText(bytes.subarray(form.bom), form.encoding)
  const mistake = mistakeIn(old, text.replaceAll('\r\n', '\n'))
  if (mistake !== null) return mistake
  const region = closestRegion(text, old)
  if (region === null) return 'Nothing in the file is like it. Read the file again.'
  const { firstLine, lines, onlyIn } = region
  const shown = lines
    .slice(0, SHOWN_LINES)
    .map((line, index) => `${String(firstLine + index).padStart(6)}\t${line.slice(0, LINE_CHARS).toWellFormed()}`)
  const rest = lines.length > SHOWN_LINES ? [`(${lines.length - SHOWN_LINES} more lines)`] : []
  const why = onlyIn === null ? 'The closest lines are:' : `It differs from these lines in ${onlyIn} alone:`
  return [why, ...shown, ...rest].join('\n')
}

/** What a model has put into the text that the file has without it; null: nothing known. */
function mistakeIn(old: string, text: string): string | null {
  const unnumbered = old.replaceAll(/^ *\d+(?:\t| ?[:|] ?)/gmu, '')
  if (unnumbered !== old && text.includes(unnumbered)) return 'It is there without the line numbers: leave them out.'
  const unescaped = old.replaceAll(/\\([nt"'`\\])/gu, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char))
  if (unescaped === old || !text.includes(unescaped)) return null
  return 'It is there without the backslashes: send line breaks, tabs and quotes as they stand in the file, in new_string too.'
}

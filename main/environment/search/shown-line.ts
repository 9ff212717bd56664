import { splitsPair } from '../output/head-tail.ts'

/** Characters of a matching line that are shown; minified files have lines of megabytes. */
const MAX_LENGTH = 2000
/** Characters shown before the first match of a line that is cut. */
const LEAD = 200

/** A line without its line break; of a long one the part around `matchStart` (UTF-16 units), with a note of its length. */
export function shownLine(line: string, matchStart: number): string {
  const text = line.replace(/\r?\n$/, '')
  if (text.length <= MAX_LENGTH) return text
  const wanted = matchStart + LEAD < MAX_LENGTH ? 0 : matchStart - LEAD
  const start = splitsPair(text, wanted) ? wanted - 1 : wanted
  const end = splitsPair(text, start + MAX_LENGTH) ? start + MAX_LENGTH - 1 : start + MAX_LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''} [line of ${text.length} characters]`
}

import { type Cut, countLines, cutChars, cutLines, firstLines, lastLines } from './cut.ts'
import { type TruncationConfig, type TruncationMode, limitsOf } from './truncation-limits.ts'

/**
 * The text itself if it fits. Otherwise its beginning and end with a warning between them, or a warning followed by its end. The warning
 * does not count toward the limit and says how many characters were removed.
 */
export function truncateChars(output: string, maxChars: number, mode: TruncationMode): string {
  const cut = cutChars(output, maxChars, mode)
  return cut ? charsCut(output, cut, mode, NOWHERE) : output
}

/** The text itself if it has at most this many lines. Otherwise its first and last lines with a warning between them. */
export function truncateLines(output: string, maxLines: number): string {
  return linesCut(output, maxLines, NOWHERE)
}

/**
 * The part of a tool's output that the model gets. It is first limited by characters, and then by lines if the tool has a line limit.
 * `toolCallId` is the id with which the model can read the rest. `missing` is the number of characters that were already dropped because
 * the output was too long for memory.
 */
export function truncateToolOutput(
  output: string,
  toolName: string,
  config: TruncationConfig = {},
  toolCallId?: string,
  missing = 0,
): string {
  const { chars, mode, lines } = limitsOf(toolName, config)
  const terms: Terms = {
    missing,
    more: toolCallId === undefined ? '' : ` Read any part of it with read_output and call ${JSON.stringify(toolCallId)}.`,
  }
  const cut = cutChars(output, chars, mode)
  if (!cut) return lines === null ? output : linesCut(output, lines, terms)
  if (lines === null) return charsCut(output, cut, mode, terms)
  return mode === 'tail' ? bothInTail(output, cut, lines, terms) : bothInMiddle(output, cut, lines, terms)
}

interface Terms {
  readonly missing: number
  /** A sentence that is added after the prescribed sentences. */
  readonly more: string
}

const NOWHERE: Terms = { missing: 0, more: '' }
/** The specification prescribes this wording. */
const STREAM = 'The full output is available in the event stream.'
const AGAIN = 'If you need to see specific parts, re-run the tool with more targeted parameters.'

function charsCut(output: string, cut: Cut, mode: TruncationMode, terms: Terms): string {
  return joined(cut, mode, charWarning(removed(output, cut, terms), mode, terms))
}

/** The number of removed characters, counted from the complete output of the tool. */
function removed(output: string, { head, tail }: Cut, { missing }: Terms): number {
  return output.length + missing - head.length - tail.length
}

function linesCut(output: string, maxLines: number, terms: Terms): string {
  const cut = cutLines(output, maxLines)
  if (!cut) return output
  const omitted = countLines(output) - countLines(cut.head) - countLines(cut.tail)
  const inAll = terms.missing === 0 ? '' : allMissing(removed(output, cut, terms))
  return joined(cut, 'head_tail', `${lineWarning(omitted, terms)}${inAll}`)
}

/** The line limit would remove the first warning, so one warning covers both limits. */
function bothInMiddle(output: string, cut: Cut, maxLines: number, terms: Terms): string {
  const inHead = countLines(cut.head)
  const inTail = countLines(cut.tail)
  const most = Math.max(0, Math.floor(maxLines))
  const keepHead = Math.min(inHead, Math.max(Math.floor(most / 2), most - inTail))
  const fits = inHead + inTail <= most
  const left = fits ? cut : { head: firstLines(cut.head, keepHead), tail: lastLines(cut.tail, most - keepHead) }
  const warning = charWarning(removed(output, left, terms), 'head_tail', terms)
  return joined(left, 'head_tail', fits ? warning : `${warning}${alsoLines(inHead + inTail - most)}`)
}

function bothInTail(output: string, cut: Cut, maxLines: number, terms: Terms): string {
  const first = charWarning(removed(output, cut, terms), 'tail', terms)
  const second = cutLines(cut.tail, maxLines)
  if (!second) return joined(cut, 'tail', first)
  const omitted = countLines(cut.tail) - countLines(second.head) - countLines(second.tail)
  const inAll = allMissing(removed(output, second, terms))
  return `[${first}]\n\n${joined(second, 'head_tail', `${lineWarning(omitted, terms)}${inAll}`)}`
}

function joined({ head, tail }: Cut, mode: TruncationMode, warning: string): string {
  return mode === 'tail' ? `[${warning}]\n\n${tail}` : `${head}\n\n[${warning}]\n\n${tail}`
}

function charWarning(count: number, mode: TruncationMode, { more }: Terms): string {
  return mode === 'tail'
    ? `WARNING: Tool output was truncated. First ${count} characters were removed. ${STREAM}${more}`
    : `WARNING: Tool output was truncated. ${count} characters were removed from the middle. ${STREAM} ${AGAIN}${more}`
}

function lineWarning(omitted: number, { more }: Terms): string {
  return `WARNING: Tool output was truncated. ${linesIn(omitted)} omitted from the middle. ${STREAM} ${AGAIN}${more}`
}

function allMissing(count: number): string {
  return ` In total, ${count} characters are missing.`
}

function alsoLines(omitted: number): string {
  return ` The line limit omitted ${linesIn(omitted)} more; the total includes them.`
}

const linesIn = (count: number): string => (count === 1 ? '1 line' : `${count} lines`)

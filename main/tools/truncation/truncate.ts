import { type Cut, countLines, cutChars, cutLines, firstLines, lastLines } from './cut.ts'
import { type TruncationConfig, type TruncationMode, limitsOf } from './limits.ts'

/**
 * Characters first (P3-02…05): the text itself when it fits, else its first and last half with a warning between them, or a warning
 * and its end. The warning stands on top of the limit and names how many characters are missing.
 */
export function truncateChars(output: string, maxChars: number, mode: TruncationMode): string {
  const cut = cutChars(output, maxChars, mode)
  return cut ? charsCut(output, cut, mode, NOWHERE) : output
}

/** P3-06: the text itself when it has at most so many lines, else the first and the last of them with a warning between. */
export function truncateLines(output: string, maxLines: number): string {
  return linesCut(output, maxLines, NOWHERE)
}

/**
 * What the model gets of a tool's output (P3-01): characters, then lines where the tool has a line limit. `toolCallId`: by which the model
 * can read the rest itself (DESIGN §3). `missing`: characters by which the text is shorter than what the tool put out, since its middle
 * was too long to be held.
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
  /** Our own sentence behind the seed's. */
  readonly more: string
}

const NOWHERE: Terms = { missing: 0, more: '' }
/** P3-03 and P3-04, word for word. */
const STREAM = 'The full output is available in the event stream.'
const AGAIN = 'If you need to see specific parts, re-run the tool with more targeted parameters.'

function charsCut(output: string, cut: Cut, mode: TruncationMode, terms: Terms): string {
  return joined(cut, mode, charWarning(removed(output, cut, terms), mode, terms))
}

/** Of all that the tool put out. */
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

/** The line stage would cut the first warning away, so one warning speaks for both (T-20). */
function bothInMiddle(output: string, cut: Cut, maxLines: number, terms: Terms): string {
  const [inHead, inTail] = [countLines(cut.head), countLines(cut.tail)]
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
  return ` In all ${count} characters are missing.`
}

function alsoLines(omitted: number): string {
  return ` Of what the character limit left, ${linesIn(omitted)} omitted as well; they are counted in.`
}

const linesIn = (count: number): string => (count === 1 ? '1 line' : `${count} lines`)

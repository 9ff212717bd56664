import { type Cut, countLines, cutChars, cutLines, firstLines, lastLines } from './cut.ts'
import { type TruncationConfig, type TruncationMode, limitsOf } from './limits.ts'

/**
 * Characters first (P3-02…05): the text itself when it fits, else its first and last half with a warning between them, or a warning
 * and its end. The warning stands on top of the limit and names how many characters are missing.
 */
export function truncateChars(output: string, maxChars: number, mode: TruncationMode): string {
  const cut = cutChars(output, maxChars, mode)
  return cut ? charsCut(output, cut, mode, STREAM) : output
}

/** P3-06: the text itself when it has at most so many lines, else the first and the last of them with a warning between. */
export function truncateLines(output: string, maxLines: number): string {
  return linesCut(output, maxLines, STREAM)
}

function charsCut(output: string, cut: Cut, mode: TruncationMode, where: string): string {
  return joined(cut, mode, charWarning(output.length - cut.head.length - cut.tail.length, mode, where))
}

function linesCut(output: string, maxLines: number, where: string): string {
  const cut = cutLines(output, maxLines)
  if (!cut) return output
  const missing = countLines(output) - countLines(cut.head) - countLines(cut.tail)
  return joined(cut, 'head_tail', lineWarning(missing, where))
}

/**
 * What the model gets of a tool's output (P3-01): characters, then lines where the tool has a line limit. `toolCallId`: by which the model
 * can read the rest itself (DESIGN §3).
 */
export function truncateToolOutput(output: string, toolName: string, config: TruncationConfig = {}, toolCallId?: string): string {
  const { chars, mode, lines } = limitsOf(toolName, config)
  const where = toolCallId === undefined ? STREAM : `${STREAM} Read any part of it with read_output and call ${JSON.stringify(toolCallId)}.`
  const cut = cutChars(output, chars, mode)
  if (!cut) return lines === null ? output : linesCut(output, lines, where)
  if (lines === null) return charsCut(output, cut, mode, where)
  return mode === 'tail' ? bothInTail(output, cut, lines, where) : bothInMiddle(output, cut, lines, where)
}

const STREAM = 'The full output is in the event stream.'

/** The line stage would cut the first warning away, so one warning speaks for both (T-20). */
function bothInMiddle(output: string, cut: Cut, maxLines: number, where: string): string {
  const [inHead, inTail] = [countLines(cut.head), countLines(cut.tail)]
  const most = Math.max(0, Math.floor(maxLines))
  const keepHead = Math.min(inHead, Math.max(Math.floor(most / 2), most - inTail))
  const fits = inHead + inTail <= most
  const left = fits ? cut : { head: firstLines(cut.head, keepHead), tail: lastLines(cut.tail, most - keepHead) }
  const warning = charWarning(output.length - left.head.length - left.tail.length, 'head_tail', where)
  return joined(left, 'head_tail', fits ? warning : `${warning}${alsoLines(inHead + inTail - most)}`)
}

function bothInTail(output: string, cut: Cut, maxLines: number, where: string): string {
  const first = charWarning(output.length - cut.tail.length, 'tail', where)
  const second = cutLines(cut.tail, maxLines)
  if (!second) return joined(cut, 'tail', first)
  const missing = countLines(cut.tail) - countLines(second.head) - countLines(second.tail)
  const inAll = output.length - second.head.length - second.tail.length
  return `[${first}]\n\n${joined(second, 'head_tail', `${lineWarning(missing, where)} In all ${inAll} characters are missing.`)}`
}

function joined({ head, tail }: Cut, mode: TruncationMode, warning: string): string {
  return mode === 'tail' ? `[${warning}]\n\n${tail}` : `${head}\n\n[${warning}]\n\n${tail}`
}

function charWarning(removed: number, mode: TruncationMode, where: string): string {
  if (mode === 'tail') {
    return `WARNING: Tool output was truncated. First ${removed} characters were removed. ${where}`
  }
  return (
    `WARNING: Tool output was truncated. ${removed} characters were removed from the middle. ${where} ` +
    'To see a particular part, run the tool again with more targeted parameters.'
  )
}

function lineWarning(omitted: number, where: string): string {
  return (
    `WARNING: Tool output was truncated. ${omitted} lines omitted from the middle. ${where} ` +
    'To see a particular part, run the tool again with more targeted parameters.'
  )
}

function alsoLines(omitted: number): string {
  return ` Of what the character limit left, ${omitted} lines omitted as well; they are counted in.`
}

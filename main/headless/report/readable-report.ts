import type { SessionEvent } from '../../../shared/session/events.ts'
import { createCallNames, createSubagentLines } from './subagent-lines.ts'
import { below, type Line, linesOf, outcomeLine, type Paint } from './event-lines.ts'
import { createLiveOutput } from './live-output.ts'
import type { Progress } from './standard-output.ts'
import { rowsOf, SAID, streamRows } from './escaped-rows.ts'

export interface ReadableParts {
  write(text: string): void
  /** Whether to use ANSI colors. They are used only for Countersign's own marks. */
  readonly colour: boolean
  /** Returns the number of cells in a row. Null if it is not a terminal. Read for each line, because the window size may change. */
  width(): number | null
}

/**
 * Plain lines for people. Countersign's own lines start with a mark (`/` proposed, `/:` asked, `//` signed, `/-` refused, `x` failed, `@`
 * subagent) or three spaces. The agent's text comes after `>`. Output and file contents come after `|`. Lines of subagents are indented
 * by three spaces. Output of running commands is shown as it arrives. Untrusted text can never imitate one of Countersign's lines,
 * however long it is.
 */
export function readableReport({ write, colour, width }: ReadableParts): Progress {
  const paint: Paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const said = streamRows(write, SAID, width)
  const children = createSubagentLines()
  const live = createLiveOutput()
  const names = createCallNames()
  const linesOfOwn = (event: SessionEvent): readonly Line[] => {
    if (event.kind === 'TOOL_CALL_OUTPUT_DELTA') return live.linesOf(event)
    const rest = event.kind === 'TOOL_CALL_END' ? live.restOf(event) : null
    return event.kind === 'TOOL_CALL_END' && rest ? [...rest, outcomeLine(event, paint)] : linesOf(event, paint)
  }
  const own = (event: SessionEvent): readonly Line[] => {
    const lines = linesOfOwn(event)
    const head = lines.length > 0 ? names.before(event) : null
    return head === null ? lines : [below(head), ...lines]
  }
  return {
    show(envelope) {
      const event = ofSpeaker(envelope.event)
      if (event.kind === 'ASSISTANT_TEXT_DELTA') return said.add(event.text)
      if (event.kind === 'ASSISTANT_TEXT_END' || event.kind === 'PROCESSING_END') said.end()
      const lines = event.kind === 'SUBAGENT_EVENT' ? children.linesOf(event, linesOf(event.event, paint)) : own(event)
      if (lines.length === 0) return
      if (event.kind !== 'SUBAGENT_EVENT') children.interrupted()
      said.end()
      const rows = lines.flatMap((line) => (typeof line === 'string' ? [line] : rowsOf(line.text, line.margin, width())))
      write(`${rows.join('\n')}\n`)
    },
    end: said.end,
  }
}

/** Returns the innermost event, so that the line shows the subagent that acted, not those above it. */
function ofSpeaker(event: SessionEvent): SessionEvent {
  return event.kind === 'SUBAGENT_EVENT' && event.event.kind === 'SUBAGENT_EVENT' ? ofSpeaker(event.event) : event
}

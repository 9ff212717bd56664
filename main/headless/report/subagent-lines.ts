import type { SessionId } from '../../../shared/lib/ids.ts'
import type { LiveEvent, SessionEvent } from '../../../shared/session/events.ts'
import { below, type Line } from './event-lines.ts'
import { FOREIGN, SAID } from './escaped-rows.ts'
import { visibleLine } from './visible-text.ts'
import { lineOf } from '../../../shared/tools/catalogue.ts'
import { lineText } from '../../../shared/tools/spec/call-line.ts'

/**
 * The calls of one answer start together and end in any order. This names the call that a line belongs to, unless the previous line already
 * shows it.
 */
interface CallNames {
  /**
   * Returns the words that name the event's call, to be shown before the event's lines. Null if the lines before were about the same call,
   * or if the event starts a call or belongs to none.
   */
  before(event: SessionEvent): string | null
}

type SubagentEvent = Extract<LiveEvent, { kind: 'SUBAGENT_EVENT' }>

/** Lines of subagents: indented by three spaces, under the subagent's name. */
export interface SubagentLines {
  /** `own`: the lines for this event as if it were the main agent's. */
  linesOf(event: SubagentEvent, own: readonly Line[]): readonly Line[]
  /** Called when another agent has written a line, so that the next line of a subagent needs the name again. */
  interrupted(): void
}

export function createSubagentLines(): SubagentLines {
  const names = new Map<SessionId, string>()
  const calls = new Map<SessionId, CallNames>()
  let speaker: SessionId | null = null
  return {
    linesOf({ subagentId, event }, own) {
      if (event.kind === 'SESSION_START') names.set(subagentId, `the ${event.parent?.agentType ?? ''} agent`)
      if (!calls.has(subagentId)) calls.set(subagentId, createCallNames())
      const head = own.length > 0 ? (calls.get(subagentId)?.before(event) ?? null) : null
      const lines = [...wordsOf(event), ...(head === null ? [] : [below(head)]), ...own, ...endOf(event)]
      if (lines.length === 0) return []
      const name = `${names.get(subagentId) ?? 'an agent'} (${subagentId})`
      const heading: readonly Line[] = speaker === subagentId ? [] : [{ margin: { ...FOREIGN, first: '@  ' }, text: visibleLine(name) }]
      speaker = subagentId
      return [...heading, ...lines].map(indented)
    },
    interrupted: () => (speaker = null),
  }
}

/** A subagent's text is not streamed. It is shown when complete. */
function wordsOf(event: SessionEvent): readonly Line[] {
  if (event.kind !== 'ASSISTANT_TURN') return []
  const text = event.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return text.trim() === '' ? [] : [{ margin: SAID, text: text.trimEnd() }]
}

/** Shows the end of a subagent as a line. The end of the main agent needs no line, because the output ends there. */
function endOf(event: SessionEvent): readonly Line[] {
  return event.kind === 'PROCESSING_END' && event.reason !== 'stopped' ? [`   Ended: ${event.reason}.`] : []
}

const INDENT = '   '

function indented(line: Line): Line {
  if (typeof line === 'string') return INDENT + line
  const { first, rest, cells } = line.margin
  return { ...line, margin: { first: INDENT + first, rest: INDENT + rest, cells: cells + INDENT.length } }
}

export function createCallNames(): CallNames {
  const heads = new Map<string, string>()
  let shown: string | null = null
  return {
    before(event) {
      if (!('toolCallId' in event) || event.kind === 'TOOL_EXECUTION_START' || event.kind === 'FILES_CHANGED') return null
      const isShown = shown === event.toolCallId
      shown = event.toolCallId
      if (event.kind === 'TOOL_CALL_START') {
        heads.set(event.toolCallId, lineText(lineOf(event)))
        return null
      }
      const head = heads.get(event.toolCallId) ?? null
      if (event.kind === 'TOOL_CALL_END') heads.delete(event.toolCallId)
      return isShown ? null : head
    },
  }
}

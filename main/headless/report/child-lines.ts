import type { SessionId } from '../../../shared/lib/ids.ts'
import type { LiveEvent, SessionEvent } from '../../../shared/session/events.ts'
import { type CallNames, createCallNames } from './call-head.ts'
import { below, type Line } from './event-lines.ts'
import { FOREIGN, SAID } from './rows.ts'
import { visibleLine } from './visible.ts'

type SubagentEvent = Extract<LiveEvent, { kind: 'SUBAGENT_EVENT' }>

/** Lines of subagents: three blanks further in than those of the agent that has them, under the name of the one that speaks. */
export interface ChildLines {
  /** `own`: what would be shown of the event if it were the agent's own. */
  linesOf(event: SubagentEvent, own: readonly Line[]): readonly Line[]
  /** Somebody else has spoken: the next one of them says its name again. */
  interrupted(): void
}

export function createChildLines(): ChildLines {
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

/** Its words do not come by and by: they are shown when they are whole. */
function wordsOf(event: SessionEvent): readonly Line[] {
  if (event.kind !== 'ASSISTANT_TURN') return []
  const text = event.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return text.trim() === '' ? [] : [{ margin: SAID, text: text.trimEnd() }]
}

/** The agent's own end is the end of all; a subagent's is said. */
function endOf(event: SessionEvent): readonly Line[] {
  return event.kind === 'PROCESSING_END' && event.reason !== 'stopped' ? [`   Ended: ${event.reason}.`] : []
}

const INDENT = '   '

function indented(line: Line): Line {
  if (typeof line === 'string') return INDENT + line
  const { first, rest, cells } = line.margin
  return { ...line, margin: { first: INDENT + first, rest: INDENT + rest, cells: cells + INDENT.length } }
}

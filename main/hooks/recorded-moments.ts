import type { HookEvent } from '../../shared/session/hooks.ts'
import type { CallItem, Item, SessionState } from '../../shared/session/state.ts'
import { lineOf } from '../../shared/tools/catalogue.ts'
import { lineText } from '../../shared/tools/spec/call-line.ts'
import type { HookMoment } from '../agent/ports/hooks.ts'

/** An event of a recent session, for trying out a hook. */
export interface RecordedMoment {
  readonly id: string
  /** One short line that says what happened. */
  readonly label: string
  readonly moment: HookMoment
}

const MAX_LABEL = 80

/** Events of this kind in these sessions, newest first. Empty for events that have no ledger entry. */
export function recordedMoments(
  event: HookEvent,
  sessions: readonly Pick<SessionState, 'sessionId' | 'items'>[],
): readonly RecordedMoment[] {
  return sessions.flatMap(({ sessionId, items }) =>
    items.toReversed().flatMap((item) => {
      const found = momentOf(event, item)
      return found ? [{ id: `${sessionId} ${item.id}`, moment: found.moment, label: shortened(found.label) }] : []
    }),
  )
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  return line.length <= MAX_LABEL ? line : `${line.slice(0, MAX_LABEL - 1)}…`
}

function momentOf(event: HookEvent, item: Item): Omit<RecordedMoment, 'id'> | null {
  switch (event) {
    case 'PreToolUse':
      return item.kind === 'call' && item.args ? { label: lineText(lineOf(item)), moment: { event, ...callOf(item) } } : null
    case 'PermissionRequest':
      return item.kind === 'call' && item.args && item.approval
        ? { label: lineText(lineOf(item)), moment: { event, ...callOf(item) } }
        : null
    case 'PostToolUse':
      return item.kind === 'call' && item.args && item.status === 'done'
        ? { label: lineText(lineOf(item)), moment: { event, ...callOf(item), output: item.output } }
        : null
    case 'UserPromptSubmit':
      return item.kind === 'user' ? { label: item.text, moment: { event, prompt: item.text } } : null
    case 'Stop':
    case 'SubagentStop':
      return item.kind === 'prose' && item.complete && item.text !== ''
        ? { label: item.text, moment: { event, isContinued: false, lastWords: item.text } }
        : null
    case 'SessionStart':
    case 'SessionEnd':
    case 'PreCompact':
    case 'Notification':
      return null
  }
}

const callOf = ({ toolCallId, toolName, args }: CallItem) => ({ toolCallId, toolName, args: args ?? {} })

import { isInCopy } from './run-state.ts'
import { assertNever } from '../../lib/assert-never.ts'
import type { LiveEvent } from '../events.ts'
import { findCall, type Draft } from './fold-call.ts'
import type { LiveAnswer, Retry } from '../state.ts'

/** Applies a live event. Changes only what the next durable event replaces: `live`, and the last output of a running call. */
export function foldLive(draft: Draft, event: LiveEvent, at: number): void {
  switch (event.kind) {
    case 'REQUEST_SENT':
      draft.live = { ...empty(at), waitingFor: { what: event.model, sinceMs: at, untilMs: null } }
      return
    case 'ASSISTANT_TEXT_START':
    case 'ASSISTANT_TEXT_END':
    // The subagent's session contains its events, and the list of sessions shows its state.
    case 'SUBAGENT_EVENT':
      return
    case 'ASSISTANT_TEXT_DELTA':
      draft.live = { ...answer(draft, at), text: (draft.live?.text ?? '') + event.text }
      return
    case 'THINKING_DELTA':
      draft.live = { ...answer(draft, at), thinking: (draft.live?.thinking ?? '') + event.text }
      return
    case 'TOOL_CALL_DELTA':
      draft.live = { ...answer(draft, at), call: { toolName: event.toolName, chars: event.chars } }
      return
    case 'TOOL_CALL_OUTPUT_DELTA': {
      const index = findCall(draft.items, event.toolCallId)
      const item = draft.items[index]
      const { tail: text, bytes, waitsForInput = false } = event
      // A call without effects starts without a signature, so it may run while its status is still `preparing`.
      if (item?.kind === 'call' && (item.status === 'running' || item.status === 'preparing' || isInCopy(item)))
        draft.items[index] = { ...item, tail: { text, bytes, ...(waitsForInput && { waitsForInput }) } }
      return
    }
    case 'RETRY_SCHEDULED':
      // The next attempt writes its answer from the start.
      draft.live = {
        ...empty(at),
        waitingFor: {
          what: `attempt ${event.attempt + 1}: ${event.why}`,
          sinceMs: at,
          untilMs: event.atMs,
          retry: retryOf(event),
        },
      }
      return
    case 'PROGRESS':
      draft.live = { ...answer(draft, at), waitingFor: { what: event.waitingFor, sinceMs: event.sinceMs, untilMs: event.untilMs } }
      return
    default:
      assertNever(event, 'live event')
  }
}

function retryOf({ attempt, why, code, untilMs, discardedWords }: Extract<LiveEvent, { kind: 'RETRY_SCHEDULED' }>): Retry {
  return { attempt: attempt + 1, why, code, givesUpAtMs: untilMs, ...(discardedWords !== undefined && { discardedWords }) }
}

const empty = (at: number): LiveAnswer => ({ text: '', thinking: '', call: null, sinceMs: at, waitingFor: null })

/** Returns the answer that is being written. This also ends the turn's wait, because something has arrived. */
function answer(draft: Draft, at: number): LiveAnswer {
  return { ...(draft.live ?? empty(at)), waitingFor: null }
}

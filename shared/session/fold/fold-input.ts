import { assertNever } from '../../lib/assert-never.ts'
import type { Draft } from './fold-call.ts'
import type { DurableEvent } from '../events.ts'
import { messageAlone } from '../person-message.ts'
import { titleOfRequest } from '../session-title.ts'
import { isIdle } from './run-state.ts'

export type InputEvent = Extract<DurableEvent, { kind: 'USER_INPUT' | 'INPUT_QUEUED' | 'INPUT_WITHDRAWN' | 'STEERING_INJECTED' }>

/** Applies events about the user's messages, whether the agent has received them or they are waiting. */
export function foldInput(draft: Draft, event: InputEvent, entry: { readonly id: string; readonly at: number }): void {
  switch (event.kind) {
    case 'USER_INPUT':
      draft.requestTitle ||= titleOfRequest(event)
      draft.title ||= draft.requestTitle
      draft.ended = null
      draft.failedCommand = null
      dequeue(draft, event.inputId)
      hold(draft, false)
      draft.items.push({ kind: 'user', ...entry, ...messageAlone(event), delivery: event.delivery })
      return
    case 'INPUT_QUEUED': {
      const { inputId, delivery } = event
      // If no turn is running, a `queue` message starts a turn at once, so only a `steer` message is held.
      const held = delivery === 'steer' && isIdle(draft)
      draft.queue = [...draft.queue, { inputId, ...messageAlone(event), delivery, held }]
      return
    }
    case 'INPUT_WITHDRAWN':
      return dequeue(draft, event.inputId)
    case 'STEERING_INJECTED':
      dequeue(draft, event.inputId)
      if (event.by === 'person') draft.items.push({ kind: 'user', ...entry, ...messageAlone(event), delivery: 'steer' })
      return
    default:
      assertNever(event, 'input')
  }
}

/** Sets `held` of all waiting messages. Waiting messages belong to the running turn or, if no turn is running, to the next turn. */
export function hold(draft: Draft, held: boolean): void {
  if (draft.queue.some((input) => input.held !== held)) draft.queue = draft.queue.map((input) => ({ ...input, held }))
}

function dequeue(draft: Draft, inputId: string): void {
  if (draft.queue.some((input) => input.inputId === inputId)) draft.queue = draft.queue.filter((input) => input.inputId !== inputId)
}

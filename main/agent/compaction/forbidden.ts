import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'

const CODE = 'compaction_forbidden'

/** What the person is told when a hook forbids a compaction; said once until their next message. */
export function compactionForbidden(reason: string): Trouble {
  return {
    code: CODE,
    what: `The context is nearly full, and a hook does not allow the conversation to be compacted: ${reason}`,
    kept: 'The whole conversation, as it is.',
    todo: 'Continue while there is room, or start a new session.',
  }
}

export function tellsOfForbidden(event: DurableEvent): boolean {
  return event.kind === 'WARNING' && event.trouble.code === CODE
}

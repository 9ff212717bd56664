import type { AnyEnvelope, LiveEnvelope, LiveEvent } from '../../shared/session/events.ts'

/** Adds an envelope to those that wait for a window; live ones that say the same as one together become one. The fold of both is equal. */
export function addJoined(waiting: AnyEnvelope[], envelope: AnyEnvelope): void {
  const last = waiting.at(-1)
  const joined = envelope.seq === null && last?.seq === null ? join(last.event, envelope.event) : null
  if (joined && last?.seq === null) waiting[waiting.length - 1] = { ...last, event: joined } satisfies LiveEnvelope
  else waiting.push(envelope)
}

/** Null: they do not belong together. */
function join(before: LiveEvent, after: LiveEvent): LiveEvent | null {
  switch (after.kind) {
    case 'ASSISTANT_TEXT_DELTA':
    case 'THINKING_DELTA':
      return before.kind === after.kind ? { kind: after.kind, text: before.text + after.text } : null
    case 'TOOL_CALL_DELTA':
      return before.kind === after.kind ? after : null
    case 'TOOL_CALL_OUTPUT_DELTA':
      return before.kind === after.kind && before.toolCallId === after.toolCallId ? after : null
    default:
      return null
  }
}

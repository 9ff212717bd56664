import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addJoined } from '../../main/sessions/watch-session.ts'
import type { AnyEnvelope, LiveEvent } from '../../shared/session/events.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { answer, begun, callId, executing, input, SESSION, stamped } from '../agent/support/events.ts'

const liveEvent: fc.Arbitrary<LiveEvent> = fc.oneof(
  fc.string().map((text): LiveEvent => ({ kind: 'ASSISTANT_TEXT_DELTA', text })),
  fc.string().map((text): LiveEvent => ({ kind: 'THINKING_DELTA', text })),
  fc.nat().map((chars): LiveEvent => ({ kind: 'TOOL_CALL_DELTA', toolName: 'shell', chars })),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.string())
    .map(([id, tail]): LiveEvent => ({ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId: callId(id), tail, bytes: tail.length })),
  fc.constant<LiveEvent>({ kind: 'REQUEST_SENT', provider: 'anthropic', model: 'm' }),
  fc.nat().map((sinceMs): LiveEvent => ({ kind: 'PROGRESS', waitingFor: 'm', sinceMs, untilMs: null })),
)

function joined(envelopes: readonly AnyEnvelope[]): readonly AnyEnvelope[] {
  const waiting: AnyEnvelope[] = []
  for (const envelope of envelopes) addJoined(waiting, envelope)
  return waiting
}

test('merged live events fold to the same state as the separate events', () => {
  const running = foldAll(
    emptySession(SESSION),
    stamped([input('go'), begun('a', 'shell'), begun('b', 'shell'), executing('a'), executing('b')]),
  )
  const stored = stamped([answer([{ kind: 'text', text: 'x' }]), input('on')], 100)
  fc.assert(
    fc.property(fc.array(fc.tuple(liveEvent, fc.boolean()), { maxLength: 40 }), (events) => {
      let next = 0
      const envelopes = events.flatMap(([event, isFollowed], index): AnyEnvelope[] => {
        const after = isFollowed ? stored[next++] : undefined
        return [{ seq: null, sessionId: SESSION, at: index, event }, ...(after ? [after] : [])]
      })
      expect(foldAll(running, joined(envelopes))).toEqual(foldAll(running, envelopes))
    }),
  )
})

test('a series of 10,000 text deltas is merged into one', () => {
  const deltas = Array.from({ length: 10_000 }, (_, at): AnyEnvelope => ({
    seq: null,
    sessionId: SESSION,
    at,
    event: { kind: 'ASSISTANT_TEXT_DELTA', text: `${at % 10}` },
  }))
  expect(joined(deltas)).toEqual([
    { seq: null, sessionId: SESSION, at: 0, event: { kind: 'ASSISTANT_TEXT_DELTA', text: '0123456789'.repeat(1000) } },
  ])
})

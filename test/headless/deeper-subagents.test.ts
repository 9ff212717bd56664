import { expect, test } from 'vitest'
import { readableReport } from '../../main/headless/report/readable-report.ts'
import { countRefusals } from '../../main/headless/asking/count-refusals.ts'
import type { AnyEnvelope, SessionEvent } from '../../shared/session/events.ts'
import type { SessionId } from '../../shared/lib/ids.ts'

const by = (subagentId: string, event: SessionEvent): SessionEvent => ({
  kind: 'SUBAGENT_EVENT',
  subagentId: subagentId as SessionId,
  event,
})
const REFUSED = {
  kind: 'APPROVAL_ANSWERED',
  approvalId: 'a',
  answer: { kind: 'refused', by: 'flag', note: null },
} as unknown as SessionEvent

test('refusals of a nested subagent are counted (P2-23)', () => {
  const refusals = countRefusals('none')
  for (const event of [REFUSED, by('s_a', REFUSED), by('s_a', by('s_b', REFUSED))]) refusals.show(event)
  expect(refusals.words()).toMatch(/^3 requests were refused/)
})

test('a nested subagent’s output is under its own name (P2-23)', () => {
  let text = ''
  const progress = readableReport({ write: (more) => void (text += more), colour: false, width: () => null })
  const turn = { kind: 'ASSISTANT_TURN', parts: [{ kind: 'text', text: 'Deep.' }] } as unknown as SessionEvent
  progress.show({ event: by('s_a', by('s_b', turn)) } as AnyEnvelope)
  progress.end()
  expect(text).toBe('   @  an agent (s_b)\n   > Deep.\n')
})

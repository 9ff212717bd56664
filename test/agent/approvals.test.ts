import { describe, expect, test } from 'vitest'
import { type Approvals, createApprovals, type GivenAnswer } from '../../main/agent/approvals.ts'
import { createAmending } from '../../main/changes/amending.ts'
import { manualClock } from '../support/manual-clock.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { approvalId } from './support/events.ts'
import { openRig, type Rig, waiting } from './support/rig.ts'
import { scriptedProvider } from './support/scripted-provider.ts'

const writes = () => scriptedProvider([calls(call('write_file', { file_path: 'a.txt', content: 'a' })), say('Done.')])

async function asked(): Promise<{
  readonly rig: Rig
  readonly given: GivenAnswer
  readonly approvals: Approvals
  readonly clock: { ms: number }
}> {
  const rig = await openRig(writes())
  rig.session.submit('go')
  const [call] = await waiting(rig.session)
  if (!call?.approval) throw new Error('Nothing waits.')
  const clock = { ms: 1_000, elapsed: () => clock.ms }
  const given = { approvalId: call.approval.approvalId, hash: call.approval.hash, answer: { kind: 'sign' }, from: 'window' } as const
  return { rig, given, approvals: createApprovals(rig.session.record, clock, createAmending(rig.store.blobs)), clock }
}
const why = (approvals: Approvals, given: GivenAnswer) => {
  const outcome = approvals.answer(given)
  return outcome.kind === 'ignored' ? outcome.why : outcome.kind
}

describe('an answer counts only once, and only for what was shown (C17, faults 34, 35)', () => {
  test('an answer counts only after the request has been on screen for 300 ms', async () => {
    const { approvals, given, clock } = await asked()
    expect(why(approvals, given)).toBe('too_early')
    expect(approvals.shown(given.approvalId)).toEqual({ armsInMs: 300 })
    clock.ms += 299
    expect([approvals.shown(given.approvalId), why(approvals, given)]).toEqual([{ armsInMs: 1 }, 'too_early'])
    clock.ms += 1
    expect([approvals.shown(given.approvalId), why(approvals, given)]).toEqual([{ armsInMs: 0 }, 'accepted'])
  })

  test('an answer counts after 300 ms even if the clock was set back by a day in between (fault 52)', async () => {
    const rig = await openRig(writes())
    rig.session.submit('go')
    const [call] = await waiting(rig.session)
    if (!call?.approval) throw new Error('Nothing waits.')
    const clock = manualClock()
    const approvals = createApprovals(rig.session.record, clock, createAmending(rig.store.blobs))
    const given = { approvalId: call.approval.approvalId, hash: call.approval.hash, answer: { kind: 'sign' }, from: 'window' } as const
    expect(approvals.shown(given.approvalId)).toEqual({ armsInMs: 300 })
    clock.set(clock.now() - 24 * 3_600_000)
    expect(approvals.shown(given.approvalId)).toEqual({ armsInMs: 300 })
    await clock.advance(300)
    expect([approvals.shown(given.approvalId), why(approvals, given)]).toEqual([{ armsInMs: 0 }, 'accepted'])
  })

  test('a second answer is ignored, both before and after the call has ended', async () => {
    const { rig, approvals, given } = await asked()
    expect(why(approvals, { ...given, from: 'terminal' })).toBe('accepted')
    expect(why(approvals, { ...given, from: 'terminal', answer: { kind: 'refuse', note: null } })).toBe('answered')
    await rig.session.idle()
    expect(why(approvals, { ...given, from: 'terminal' })).toBe('answered')
    expect(rig.kinds().filter((kind) => kind === 'APPROVAL_ANSWERED').length).toBe(1)
  })

  test('an answer with the wrong hash is ignored, and the request keeps waiting', async () => {
    const { rig, approvals, given } = await asked()
    expect(why(approvals, { ...given, from: 'terminal', hash: `${given.hash}0` })).toBe('hash_differs')
    expect(rig.session.state().run).toBe('AWAITING_INPUT')
  })

  test('an answer is ignored if its request is unknown or was withdrawn by a stop', async () => {
    const { rig, approvals, given } = await asked()
    expect(why(approvals, { ...given, approvalId: approvalId('ap_none') })).toBe('unknown')
    await rig.session.stop()
    expect(why(approvals, { ...given, from: 'terminal' })).toBe('withdrawn')
  })

  test('with two windows the first answer wins, whichever window it comes from', async () => {
    const { rig, approvals, given } = await asked()
    const other = createApprovals(rig.session.record, { elapsed: () => 0 }, createAmending(rig.store.blobs))
    const outcomes = [
      why(other, { ...given, from: 'terminal', answer: { kind: 'refuse', note: 'no' } }),
      why(approvals, { ...given, from: 'terminal' }),
    ]
    expect(outcomes).toEqual(['accepted', 'answered'])
    await rig.session.idle()
    expect(rig.replay().items.map((item) => (item.kind === 'call' ? item.status : item.kind))).toEqual(['user', 'refused', 'prose'])
  })

  test('if a headless run refuses a request because of its flags, the agent learns that nobody can be asked (D-44)', async () => {
    const { rig, approvals, given } = await asked()
    approvals.answer({ ...given, from: 'flag', answer: { kind: 'refuse', note: null } })
    await rig.session.idle()
    expect(rig.events().flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [event.output] : []))).toEqual([
      'Denied: nobody can be asked in this run. Nothing was executed.',
    ])
  })
})

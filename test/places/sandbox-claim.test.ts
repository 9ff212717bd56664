import { expect, test } from 'vitest'
import { claimState, renewedClaim } from '../../main/places/kubernetes/sandbox-claim.ts'

const NOON = Date.parse('2026-01-01T12:00:00.500Z')

test.each([
  ['its lease', 24, '2026-01-01T13:00:00Z'],
  ['its hours', 0.5, '2026-01-01T12:30:00Z'],
])('a claim that is renewed ends with %s if that is first', (_what, hours, shutdownTime) => {
  const renewed = renewedClaim({ now: NOON, leaseS: 3600, last: NOON + hours * 3_600_000 })
  expect(renewed).toEqual({ spec: { lifecycle: { shutdownTime } } })
})

const claimWith = (...conditions: readonly object[]) => ({ metadata: { name: 'one' }, status: { conditions } })

test.each([
  ['without a status', { metadata: { name: 'one' } }, { kind: 'waiting' }],
  ['whose pod is ready', claimWith({ type: 'Ready', status: 'True' }), { kind: 'running' }],
  [
    'whose pool is empty',
    claimWith({ type: 'Ready', status: 'False', reason: 'SandboxNotReady', message: 'creating' }),
    { kind: 'waiting', why: 'The claim one waits (SandboxNotReady): creating.' },
  ],
  ['of a missing pool', claimWith({ type: 'Ready', status: 'False', reason: 'WarmPoolNotFound' }), { kind: 'stuck' }],
  ['that has expired', claimWith({ type: 'Ready', status: 'False', reason: 'ClaimExpired' }), { kind: 'gone' }],
  ['that is being deleted', { metadata: { name: 'one', deletionTimestamp: 'now' } }, { kind: 'gone' }],
])('the state of a claim %s is known', (_which, claim, state) => {
  expect(claimState(claim)).toMatchObject(state)
})

test('something else is no claim', () => {
  expect(claimState({ kind: 'Status' })).toBeNull()
})

import { describe, expect, test } from 'vitest'
import type { SessionSummary } from '../../../../shared/api/sessions.ts'
import type { ToolCallId } from '../../../../shared/lib/ids.ts'
import { NO_LEASE } from '../../../../shared/session/settings/budget-lease.ts'
import { notesOf } from '../../../../renderer/state/stores/notifications.ts'
import { sessionIdOf, sessionSummary } from '../../../support/session-summary.ts'

const id = sessionIdOf
const session = (name: string, more: Partial<SessionSummary> = {}): SessionSummary =>
  sessionSummary(name, { ended: null, cursor: 9, ...more })
const childOf = (name: string): SessionSummary['parent'] => ({
  sessionId: id(name),
  toolCallId: 'c1' as ToolCallId,
  agentType: 'explore',
  depth: 1,
  readsOnly: true,
  lease: NO_LEASE,
})
const told = (sessions: readonly SessionSummary[], seen: Record<string, number> = {}) =>
  notesOf(new Map(sessions.map((one) => [one.sessionId, one])), { seen, dismissed: {} })

describe('notifications', () => {
  test.each<[string, Partial<SessionSummary>, string]>([
    ['a request that waits', { run: 'AWAITING_INPUT', need: 'A command' }, 'Needs you: A command'],
    ['a question', { ended: 'completed', asks: true, turnEnd: 5 }, 'Asked you a question'],
    ['a turn that ended early', { ended: 'error', turnEnd: 5 }, 'Ended early, nothing lost'],
    [
      'a background command that failed',
      { ended: 'completed', turnEnd: 5, failedCommand: { seq: 7, words: '“watch” ended in the background, exit 3' } },
      '“watch” ended in the background, exit 3',
    ],
    ['a finished turn', { ended: 'completed', turnEnd: 5 }, 'Finished'],
  ])('%s', (_, more, body) => {
    expect(told([session('a', more)])).toMatchObject([{ sessionId: id('a'), title: 'a', body }])
  })

  test('are not caused by a finished turn that was seen, a running session or a stopped session', () => {
    const sessions = [
      session('seen', { ended: 'completed', turnEnd: 5 }),
      session('busy', { run: 'PROCESSING', ended: 'completed', turnEnd: 5 }),
      session('stopped', { ended: 'stopped', turnEnd: 5 }),
    ]
    expect(told(sessions, { [id('seen')]: 5 })).toEqual([])
  })

  test('combine the requests of a session and its subagents, and are not caused by the end of a subagent', () => {
    const asking = { run: 'AWAITING_INPUT', need: 'A command' } as const
    const sessions = [
      session('parent', asking),
      session('child', { parent: childOf('parent'), ...asking }),
      session('grandchild', { parent: childOf('child'), ...asking }),
      session('ended', { parent: childOf('parent'), ended: 'error', turnEnd: 7 }),
    ]
    expect(told(sessions)).toMatchObject([{ sessionId: id('parent'), title: 'parent', key: `${id('parent')} asks` }])
  })

  test('keep their key while the need is the same, even if its text changes, and get a new key in the next turn', () => {
    const key = (more: Partial<SessionSummary>): string | undefined => told([session('a', more)])[0]?.key
    expect(key({ need: 'A command' })).toBe(key({ need: '2 steps to sign', cursor: 12 }))
    expect(key({ ended: 'error', turnEnd: 5 })).not.toBe(key({ ended: 'error', turnEnd: 8 }))
  })
})

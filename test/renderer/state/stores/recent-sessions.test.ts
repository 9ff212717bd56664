import { expect, test } from 'vitest'
import { followRecentSessions } from '../../../../renderer/state/stores/recent-sessions.ts'
import { createViewStore } from '../../../../renderer/state/stores/view-store.ts'
import { SessionId } from '../../../../shared/lib/ids.ts'

const [A, B, C] = ['s_a', 's_b', 's_c'].map((id) => SessionId.parse(id)) as [SessionId, SessionId, SessionId]

test('the quick switch goes back and forth between two sessions, and further back when it is repeated quickly', () => {
  const view = createViewStore(null, null)
  let now = 0
  const recent = followRecentSessions(view, () => now)
  for (const sessionId of [A, B, C]) view.setState({ sessionId })
  const switched = (after: number, isThere: (one: SessionId) => boolean = () => true): SessionId | null => {
    now += after
    const sessionId = recent.before(isThere)
    if (sessionId !== null) view.setState({ sessionId })
    return sessionId
  }
  expect(switched(0)).toBe(B)
  expect(switched(5_000)).toBe(C)
  expect([switched(5_000), switched(300), switched(300)]).toEqual([B, A, C])
  expect(switched(5_000, (one) => one !== A)).toBe(B)
})

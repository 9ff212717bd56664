import { expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { followPair } from '../../../../renderer/state/stores/follow-pair.ts'
import type { SessionList } from '../../../../renderer/state/stores/session-list.ts'
import { createViewStore } from '../../../../renderer/state/stores/view-store.ts'
import type { SessionSummary } from '../../../../shared/api/sessions.ts'
import { SessionId } from '../../../../shared/lib/ids.ts'

const [A, B, C] = ['s_a', 's_b', 's_c'].map((id) => SessionId.parse(id)) as [SessionId, SessionId, SessionId]

/** Two sessions side by side, of which `active` has the keys, and the list of sessions. */
function open(active: SessionId) {
  const view = createViewStore(null, null)
  view.setState({ sessionId: active, pair: [A, B] })
  const list = createStore<SessionList>(() => ({ known: false, sessions: new Map(), arranged: new Map(), unreadable: null }))
  followPair(view, list)
  const receive = (...ids: readonly SessionId[]): void =>
    list.setState({ known: true, sessions: new Map(ids.map((id) => [id, { sessionId: id } as SessionSummary])) })
  const shown = () => {
    const { sessionId, pair } = view.getState()
    return { sessionId, pair }
  }
  return { view, list, receive, shown }
}

test.each([
  ['active', A],
  ['other', B],
])('of two sessions side by side, the remaining one is shown alone when the %s one is deleted', (_, active) => {
  const { receive, shown } = open(active)
  receive(A, B, C)
  expect(shown().pair).toEqual([A, B])
  receive(B, C)
  expect(shown()).toEqual({ sessionId: B, pair: null })
})

test('after a reload, a session that is gone is not shown side by side', () => {
  const { list, receive, shown } = open(B)
  list.setState({ unreadable: null })
  expect(shown().pair).toEqual([A, B])
  receive(B)
  expect(shown()).toEqual({ sessionId: B, pair: null })
})

test('a new session stays side by side until the list contains it', () => {
  const { view, receive, shown } = open(B)
  receive(A, B)
  view.setState({ pair: [A, C], sessionId: C })
  receive(A, B)
  expect(shown()).toEqual({ sessionId: C, pair: [A, C] })
})

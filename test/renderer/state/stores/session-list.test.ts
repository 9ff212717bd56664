import { expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import { followSessionList } from '../../../../renderer/state/stores/session-list.ts'
import type { SessionListItem, SessionSummary } from '../../../../shared/api/sessions.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { otherSide, when } from '../support/other-side.ts'

const one = { sessionId: 'ses_one' as SessionId, need: null } as SessionSummary
const UNREADABLE = { code: 'storage_failed', what: 'The history could not be read.', kept: 'All of it.', todo: 'Check the disk.' }

test('listed sessions stay visible while the history cannot be read, and reading is retried', async () => {
  const answers: SessionListItem[][] = [
    [{ kind: 'all', sessions: [one], unreadable: null }],
    [{ kind: 'all', sessions: [], unreadable: UNREADABLE }],
    [{ kind: 'all', sessions: [], unreadable: null }],
  ]
  const { promise: isShown, resolve: shown } = Promise.withResolvers<void>()
  const side = otherSide({
    sessions: {
      async *list() {
        if (answers.length === 1) await isShown
        yield* answers.shift() ?? []
      },
    },
  })
  const connection = new Connection(side.open)
  const standing = createStore(() => ({ known: true, waiting: new Set<SessionId>() }) as never)
  const { store, dispose } = followSessionList(
    connection,
    standing,
    createStore(() => ({ offered: [] })),
  )
  await when(store, ({ known }) => known)
  expect(store.getState()).toMatchObject({ unreadable: null, sessions: new Map([[one.sessionId, one]]) })
  side.breakWire()
  await when(store, ({ unreadable }) => unreadable !== null)
  expect(store.getState()).toMatchObject({ unreadable: UNREADABLE, sessions: new Map([[one.sessionId, one]]) })
  shown()
  await when(store, ({ sessions }) => sessions.size === 0)
  expect(store.getState().unreadable).toBeNull()
  dispose()
  connection.dispose()
})

import { expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import { followSessionList } from '../../../../renderer/state/stores/session-list.ts'
import type { SessionListItem, SessionSummary } from '../../../../shared/api/sessions.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { otherSide, when } from '../support/other-side.ts'

const one = { sessionId: 'ses_one' as SessionId, need: null } as SessionSummary
const UNREADABLE = { code: 'storage_failed', what: 'The history could not be read.', kept: 'All of it.', todo: 'Check the disk.' }

const listOf = (connection: Connection): ReturnType<typeof followSessionList> =>
  followSessionList(
    connection,
    createStore(() => ({ known: true, waiting: new Set<SessionId>() }) as never),
    createStore(() => ({ offered: [] })),
  )

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
  const { store, dispose } = listOf(connection)
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

test('new steps of a running session do not cause the list to be sorted again, but the end of its turn does', async () => {
  const other = { ...one, sessionId: 'ses_other' as SessionId }
  const running = { ...one, run: 'PROCESSING', steps: 1, cursor: 10, updatedAt: 1 } as const
  const changes: SessionSummary[] = [
    running,
    { ...running, steps: 2, cursor: 20, updatedAt: 2 },
    { ...running, need: 'A command waits', cursor: 30 },
    { ...running, run: 'IDLE', cursor: 40 },
    { ...running, run: 'IDLE', cursor: 50 },
  ]
  const gates = changes.map(() => Promise.withResolvers<void>())
  const side = otherSide({
    sessions: {
      async *list() {
        yield { kind: 'all', sessions: [one, other], unreadable: null } satisfies SessionListItem
        for (const [at, session] of changes.entries()) {
          await gates[at]?.promise
          yield { kind: 'changed', session } satisfies SessionListItem
        }
        await new Promise(() => {})
      },
    },
  })
  const connection = new Connection(side.open)
  const { store, dispose } = listOf(connection)
  await when(store, ({ known }) => known)
  const isArrangedAnew: boolean[] = []
  for (const [at, session] of changes.entries()) {
    const { arranged } = store.getState()
    gates[at]?.resolve()
    await when(store, ({ sessions }) => sessions.get(one.sessionId)?.cursor === session.cursor)
    isArrangedAnew.push(store.getState().arranged !== arranged)
  }
  expect(isArrangedAnew).toEqual([true, false, true, true, true])
  expect(store.getState().arranged).toBe(store.getState().sessions)
  dispose()
  connection.dispose()
})

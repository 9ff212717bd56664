import { expect } from 'vitest'
import { StorageError } from '../../../main/agent/storage-error.ts'
import { openMemoryStore, openStore } from '../../../main/store/open-store.ts'
import type { Store } from '../../../main/store/store.ts'
import { jsonExport } from '../../../main/transfer/export/json-export.ts'
import { countersignLines } from '../../../main/transfer/import/countersign-lines.ts'
import { importSession } from '../../../main/transfer/import/import-session.ts'
import type { PastSession } from '../../../main/transfer/import/transcript.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { emptySession, fold, foldAll } from '../../../shared/session/fold/fold.ts'
import type { SessionState } from '../../../shared/session/state.ts'

const redactor = { text: (text: string) => text }

/**
 * Returns the parts of a session that an import must keep. Event numbers, session ids and rights change on purpose. Open calls, which a
 * dead process may have left, are not compared.
 */
const comparable = ({ items, steps, usage, answers, compactions, todos }: SessionState) => ({
  steps,
  usage,
  answers,
  compactions,
  todos,
  items: items.map(({ id: _id, ...item }) => {
    if (item.kind === 'move') return { ...item, to: 0 }
    return item.kind === 'rollback' && item.conversation ? { ...item, conversation: { ...item.conversation, to: 0 } } : item
  }),
})

/** Fails the test unless the session is the same after an export and an import. */
export async function expectSameAfterImport(store: Store, sessionId: SessionId): Promise<void> {
  const reader = countersignLines()
  for await (const line of jsonExport({ store, redactor, now: 0 }, sessionId)) reader.add(JSON.parse(line), line)
  const transcript = reader.end()
  if (!transcript) throw new Error('The export holds no session.')
  expect(transcript.unknown).toBe(0)
  const replayed = transcript.sessions.map((one) => sameReplay(store, one))

  const other = await openMemoryStore()
  try {
    await importSession(transcript, { store: other, redactor })
    const imported = other.sessions.list().map((one) => foldAll(emptySession(one.sessionId), other.log(one.sessionId).read()))
    expect(imported.map(({ run }) => run).filter((run) => run !== 'IDLE' && run !== 'CLOSED')).toEqual([])
    for (const state of replayed) {
      if (state.open.length > 0) continue
      const mine = comparable(state)
      // An imported session has one more entry at its end, which the import itself adds.
      const theirs = imported.map(comparable).map((one) => ({ ...one, items: one.items.slice(0, mine.items.length) }))
      if (theirs.length === 1) expect(theirs[0]).toEqual(mine)
      else expect(theirs).toContainEqual(mine)
    }
  } finally {
    other.close()
  }
}

/** Returns the state of a session. Fails the test unless a replay of the log and a replay of the exported events give the same state. */
function sameReplay(store: Store, { id, events }: PastSession): SessionState {
  const sessionId = SessionId.parse(id)
  const envelopes = events.map(({ seq, at, event }) => ({ seq, sessionId, after: null, at, event }))
  // A background command may append more events in the meantime.
  const last = envelopes.at(-1)?.seq ?? 0
  const replayed = foldAll(
    emptySession(sessionId),
    [...store.log(sessionId).read()].filter(({ seq }) => seq <= last),
  )
  expect(foldAll(emptySession(sessionId), envelopes)).toEqual(replayed)
  return replayed
}

/** Follows a session as a window does. The returned function fails the test unless a replay of the log gives the same state. */
export function watchFold(store: Store, sessionId: SessionId): () => void {
  const log = store.log(sessionId)
  let state = foldAll(emptySession(sessionId), log.read())
  const watching = log.subscribe((envelope) => (state = fold(state, envelope)))
  return () => {
    watching.dispose()
    expect(settled(state)).toEqual(settled(foldAll(emptySession(sessionId), log.read())))
  }
}

/** Removes what only a running process knows, such as the unfinished answer. */
const settled = ({ live: _live, ...state }: SessionState) => ({
  ...state,
  items: state.items.map((item) => (item.kind === 'call' ? { ...item, tail: null } : item)),
})

/** Fails the test unless every session of a closed data folder is the same after an export and an import. Damaged ones are left out. */
export async function expectAllSameAfterImport(dataFolder: string): Promise<void> {
  const opened = await openStore(dataFolder)
  if (!opened.ok) return
  const store = opened.value
  try {
    for (const { sessionId, parent } of store.sessions.list()) {
      if (parent) continue
      await expectSameAfterImport(store, sessionId).catch((error: unknown) => {
        if (!(error instanceof StorageError)) throw error
      })
    }
  } finally {
    store.close()
  }
}

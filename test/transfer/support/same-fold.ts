import { expect } from 'vitest'
import { openMemoryStore } from '../../../main/store/open-store.ts'
import type { Store } from '../../../main/store/store.ts'
import { jsonExport } from '../../../main/transfer/export/json-export.ts'
import { countersignLines } from '../../../main/transfer/import/countersign-lines.ts'
import { importSession } from '../../../main/transfer/import/import-session.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { SessionState } from '../../../shared/session/state.ts'

const redactor = { text: (text: string) => text }

/**
 * Returns the parts of a session that an import must keep. Event numbers, session ids and rights change on purpose. Open calls, which a
 * dead process may have left, are not compared.
 */
const comparable = ({ items, steps, usage, answers, compactions, todos }: SessionState) => ({
  ...{ steps, usage, answers, compactions, todos },
  items: items.map(({ id: _id, ...item }) => (item.kind === 'move' ? { ...item, to: 0 } : item)),
})

/** Fails the test unless the session is the same after an export and an import. */
export async function expectSameAfterImport(store: Store, sessionId: SessionId): Promise<void> {
  const reader = countersignLines()
  for await (const line of jsonExport({ store, redactor, now: 0 }, sessionId)) reader.add(JSON.parse(line), line)
  const transcript = reader.end()
  if (!transcript) throw new Error('The export holds no session.')
  expect(transcript.unknown).toBe(0)
  const envelopes = transcript.sessions[0]?.events.map(({ seq, at, event }) => ({ seq, sessionId, after: null, at, event })) ?? []
  // A background command may append more events in the meantime.
  const last = envelopes.at(-1)?.seq ?? 0
  const replayed = foldAll(
    emptySession(sessionId),
    [...store.log(sessionId).read()].filter(({ seq }) => seq <= last),
  )
  expect(foldAll(emptySession(sessionId), envelopes)).toEqual(replayed)

  const other = await openMemoryStore()
  try {
    const id = await importSession(transcript, { store: other, redactor })
    const imported = foldAll(emptySession(id), other.log(id).read())
    expect(imported.run === 'IDLE' || imported.run === 'CLOSED').toBe(true)
    if (replayed.open.length > 0 || replayed.items.some(({ kind }) => kind === 'rollback')) return
    const [mine, theirs] = [comparable(replayed), comparable(imported)]
    // The imported session has one more entry at its end, which the import itself adds.
    expect({ ...theirs, items: theirs.items.slice(0, mine.items.length) }).toEqual(mine)
  } finally {
    other.close()
  }
}

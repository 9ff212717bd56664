import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../../shared/api/doctor.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { appendLineDurably } from '../blobs/durable-file.ts'
import type { DatabaseClass } from '../database/connection.ts'
import { DATABASE_FILE, SEARCH_FILE } from '../file-names.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'

/** The file with damaged events and their text, one JSON object per line. */
const SET_ASIDE = 'set-aside.jsonl'

/**
 * Repairs as much as the findings allow. Rebuilds indexes, moves damaged events to a file, rebuilds rows of the list from the log, and
 * removes a search index that does not match, so that the next search builds it again. Returns sentences about what it did. Does not
 * touch sessions that are open in this process. The caller has the right to repair (`takeRepairLock`).
 */
export async function repair(Class: DatabaseClass, dataFolder: string, findings: readonly Finding[]): Promise<readonly string[]> {
  const wanted = findings.filter(({ isRepairable }) => isRepairable)
  if (wanted.length === 0) return ['There was nothing to repair.']
  const opened = await openStore(dataFolder, { isRepair: true })
  if (!opened.ok) return [`Nothing was repaired. ${opened.failure.what}`]
  const store = opened.value
  try {
    const trouble = store.trouble()
    if (trouble) return [`Nothing was repaired. ${trouble.what}`]
    const hasKind = (kind: Finding['kind']): boolean => wanted.some((finding) => finding.kind === kind)
    const damaged = sessionsOf(wanted, 'event')
    return [
      ...(hasKind('database') ? reindexed(Class, dataFolder) : []),
      ...damaged.flatMap((id) => setAside({ Class, dataFolder, store }, id)),
      ...sessionsOf(wanted, 'list').flatMap((id) => rebuilt(store, id)),
      ...(hasKind('search') ? searchRemoved(dataFolder) : []),
    ]
  } finally {
    store.close()
  }
}

const sessionsOf = (findings: readonly Finding[], kind: Finding['kind']): readonly SessionId[] => [
  ...new Set(findings.flatMap((finding) => (finding.kind === kind && finding.sessionId !== null ? [finding.sessionId] : []))),
]

function reindexed(Class: DatabaseClass, dataFolder: string): readonly string[] {
  const db = new Class(join(dataFolder, DATABASE_FILE), { timeout: 5_000 })
  try {
    db.exec('REINDEX')
    return ['The indexes of the history file were rebuilt.']
  } finally {
    db.close()
  }
}

interface AsideParts {
  readonly Class: DatabaseClass
  readonly dataFolder: string
  readonly store: Store
}

/**
 * Replaces each damaged event with a warning, which the session then shows. The damaged text is first saved to a file. If the repair is
 * killed before the replacement, the next one saves the text again.
 */
function setAside({ Class, dataFolder, store }: AsideParts, sessionId: SessionId): readonly string[] {
  if (store.claims.holder(sessionId))
    return [`Session ${sessionId} is open, so its damaged events were not set aside. Close it and repair again.`]
  const db = new Class(join(dataFolder, DATABASE_FILE), { timeout: 5_000 })
  let count = 0
  try {
    const rows = db
      .prepare<[SessionId], { seq: number; event: string }>(
        `SELECT seq, event FROM events WHERE session_id = ? AND (NOT json_valid(event) OR json_type(event, '$.kind') IS NOT 'text')`,
      )
      .all(sessionId)
    const replace = db.prepare('UPDATE events SET event = ? WHERE seq = ? AND event = ?')
    const forgetSlim = db.prepare('DELETE FROM slim_ends WHERE seq = ?')
    for (const { seq, event } of rows) {
      appendLineDurably(join(dataFolder, SET_ASIDE), JSON.stringify({ sessionId, seq, event }))
      db.transaction(() => {
        replace.run(JSON.stringify(asideEvent(seq)), seq, event)
        forgetSlim.run(seq)
      }).immediate()
      count++
    }
  } finally {
    db.close()
  }
  if (count > 0) store.sessions.rebuild(sessionId)
  return count === 0
    ? []
    : [
        `${count === 1 ? 'One damaged event' : `${count} damaged events`} of session ${sessionId} moved to ${SET_ASIDE}. The session opens without ${count === 1 ? 'it' : 'them'}.`,
      ]
}

const asideEvent = (seq: number): DurableEvent => ({
  kind: 'WARNING',
  trouble: {
    code: 'event_set_aside',
    what: `Event ${seq} of this session was damaged on disk and was set aside.`,
    kept: `All other events are intact. The damaged text is in ${SET_ASIDE} in the data folder.`,
    todo: 'If something is missing here, fork the session from before this point, or restore a backup.',
  },
})

function rebuilt(store: Store, sessionId: SessionId): readonly string[] {
  if (store.claims.holder(sessionId))
    return [`Session ${sessionId} is open, so its row in the list was not rebuilt. Close it and repair again.`]
  store.sessions.rebuild(sessionId)
  return [`The row of session ${sessionId} was rebuilt from its events.`]
}

function searchRemoved(dataFolder: string): readonly string[] {
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataFolder, `${SEARCH_FILE}${end}`), { force: true })
  return ['The search index was removed. The next search rebuilds it from the sessions.']
}

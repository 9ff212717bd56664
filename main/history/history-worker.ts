import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { historyState } from '../../shared/api/history.ts'
import type { RunState } from '../../shared/session/state.ts'
import type { BlobHash, SessionId } from '../../shared/lib/ids.ts'
import { unifiedDiff } from '../changes/unified-diff.ts'
import { type Blobs, createBlobs } from '../store/blobs/blobs.ts'
import { DELETING_MARKER } from '../store/cleaning/delete-sessions.ts'
import type { Connection } from '../store/database/connection.ts'
import { databaseClass } from '../store/database/database.ts'
import { FORK_MARKER } from '../store/log/fork-session.ts'
import { createEventReader, parseEvent } from '../store/log/event-reader.ts'
import { DATABASE_FILE, SEARCH_FILE } from '../store/file-names.ts'
import { createPrivateFile } from '../store/private-folder.ts'
import { AGENTS_BELOW } from '../store/log/session-rows.ts'
import { searchableTexts, textParts, type TextSources } from '../store/log/searchable-texts.ts'
import { createReplay } from './replay.ts'
import { type IndexedEvent, openSearchIndex, type SearchIndex } from './search-index.ts'
import type { AboutSession } from './search-matcher.ts'
import type { HistoryRequest, HistoryReply } from './history-search.ts'

/** Number of events that are read and indexed in one step. A search never waits for more than one step. */
const BATCH = 200

interface LoggedRow {
  readonly seq: number
  readonly session_id: SessionId
  readonly cwd: string
  readonly at: number
  readonly item: number | null
  readonly step: number
  readonly event: string
  /** Marks a fork's copy of an event. The search finds the original in the source session instead. */
  readonly is_copy: number
}

const { dataFolder } = workerData as { readonly dataFolder: string }
const Class = await databaseClass()
const log = new Class(join(dataFolder, DATABASE_FILE), { readonly: true, timeout: 5_000 })
const searchFile = join(dataFolder, SEARCH_FILE)
createPrivateFile(searchFile)
const index = openSearchIndex(new Class(searchFile, { timeout: 5_000 }), aboutSessions(log))
const blobs = createBlobs({
  db: log,
  files: { folder: join(dataFolder, 'blobs'), partial: join(dataFolder, 'blobs', 'partial'), holder: 'search' },
  write: (work) => work(),
  read: (work) => work(),
})
const replay = createReplay({
  stored: createEventReader(log).stored,
  agents: agentsBelow(log),
  count: (sessionId) => Number(log.prepare<[SessionId], number>('SELECT count(*) FROM events WHERE session_id = ?').pluck().get(sessionId)),
})
const addBatch = batchReader(log, index, blobs)

function agentsBelow(db: Connection): (sessionId: SessionId) => readonly SessionId[] {
  const below = db.prepare<[SessionId], SessionId>(AGENTS_BELOW).pluck()
  return (sessionId) => below.all(sessionId)
}

interface SessionRow {
  readonly model: string
  readonly run: RunState
  readonly ended: string | null
  readonly is_archived: number
}

/** The current model and state of a session. Null if the session does not exist. */
function aboutSessions(db: Connection): (sessionId: SessionId) => AboutSession | null {
  const get = db.prepare<[SessionId], SessionRow>(
    `SELECT json_extract(s.config, '$.model') AS model, s.run, s.ended,
       EXISTS (SELECT 1 FROM markers m WHERE m.session_id = s.session_id AND m.name = 'archived') AS is_archived
     FROM sessions s WHERE s.session_id = ?`,
  )
  return (sessionId) => {
    const row = get.get(sessionId)
    return row ? { model: row.model, state: historyState({ ...row, isArchived: row.is_archived === 1 }) } : null
  }
}

/** Continues until all events are indexed. A search that arrives in the meantime is answered between two batches. */
function readOn(): void {
  if (addBatch()) setImmediate(readOn)
}

function batchReader(db: Connection, { position, add }: SearchIndex, stored: Pick<Blobs, 'get'>): () => boolean {
  const after = db.prepare<[number, number], LoggedRow>(
    `SELECT e.seq, e.session_id, s.cwd, e.at, e.item, e.event,
       coalesce((SELECT min(m.step) FROM events m WHERE m.session_id = e.session_id AND m.item = e.item), e.step) AS step,
       m.value IS NOT NULL AND coalesce(e.seq <= json_extract(m.value, '$.copiedTo'), 1) AS is_copy
     FROM events e JOIN sessions s ON s.session_id = e.session_id
       LEFT JOIN markers m ON m.session_id = e.session_id AND m.name = '${FORK_MARKER}'
     WHERE e.seq > ? ORDER BY e.seq LIMIT ?`,
  )
  const requests = db
    .prepare<[SessionId, number, number], string>(
      'SELECT event FROM events WHERE session_id = ? AND item = ? AND seq < ? ORDER BY seq DESC',
    )
    .pluck()
  const requested =
    ({ session_id: id, item, seq }: LoggedRow): TextSources['requested'] =>
    ({ approvalId }) => {
      if (item === null) return []
      for (const text of requests.iterate(id, item, seq)) {
        const event = parseEvent(text, seq)
        if (event.kind === 'APPROVAL_REQUESTED' && event.approvalId === approvalId) return event.effects
      }
      return []
    }
  return () => {
    const rows = after.all(position(), BATCH)
    const last = rows.at(-1)
    if (!last) return false
    add(
      rows.flatMap((row) => (row.is_copy === 1 ? [] : indexed(row, stored, requested(row)))),
      last.seq,
    )
    return rows.length === BATCH
  }
}

function indexed(
  { seq, session_id: sessionId, cwd: folder, at, item, step, event }: LoggedRow,
  stored: Pick<Blobs, 'get'>,
  requested: TextSources['requested'],
): readonly IndexedEvent[] {
  try {
    let isCut = false
    const linesOf: TextSources['changedLines'] = (before, after) => {
      const lines = changedLines(before, after, stored)
      isCut ||= lines === 'too_large'
      return lines === 'too_large' ? [] : lines
    }
    const texts = searchableTexts(parseEvent(event, seq), { changedLines: linesOf, requested })
    if (texts.length === 0) return []
    const about = { seq, sessionId, folder, at, item, step }
    return [{ ...about, texts: texts.flatMap(textParts), isCut: isCut || texts.some((text) => text.isCut) }]
  } catch {
    // A row that cannot be parsed is left out of the results. The session reports the problem when it is opened.
    return []
  }
}

function changedLines(before: BlobHash | null, after: BlobHash | null, stored: Pick<Blobs, 'get'>): readonly string[] | 'too_large' {
  try {
    const diff = unifiedDiff(before && stored.get(before), after && stored.get(after))
    if (diff.kind === 'too_large') return 'too_large'
    return diff.kind === 'text' ? diff.lines.filter((line) => /^[+-]/u.test(line)).map((line) => line.slice(1)) : []
  } catch {
    return []
  }
}

/** The number of events after `from`. Events of sessions that are being deleted do not count, because they are never indexed. */
const behind = log
  .prepare<[{ readonly from: number }], number>(
    `SELECT (SELECT count(*) FROM events WHERE seq > :from) - (SELECT count(*) FROM events WHERE seq > :from
       AND session_id IN (SELECT session_id FROM markers WHERE name = '${DELETING_MARKER}'))`,
  )
  .pluck()

parentPort?.on('message', (request: HistoryRequest) => {
  const { id } = request
  const reply = (answer: HistoryReply): void => parentPort?.postMessage(answer)
  try {
    if ('forget' in request) {
      index.forget(request.forget)
      return reply({ id, kind: 'forgotten' })
    }
    if ('outline' in request) return reply({ id, kind: 'outline', outline: replay.outline(request.outline) })
    if ('moment' in request) return reply({ id, kind: 'moment', moment: replay.moment(request.moment.sessionId, request.moment.seq) })
    addBatch()
    const { query } = request
    reply({ id, kind: 'found', answer: { ...index.search(query), behind: behind.get({ from: index.position() }) ?? 0 } })
    readOn()
  } catch (error) {
    reply({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})
readOn()

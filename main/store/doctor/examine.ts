import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoctorReport } from '../../../shared/api/doctor.ts'
import type { ApprovalId, BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import { searchableTexts, type TextSources } from '../log/searchable-texts.ts'
import type { Connection, DatabaseClass } from '../database/connection.ts'
import { openDatabase } from '../database/database.ts'
import { MIGRATIONS, newest } from '../database/migrations.ts'
import { FORK_MARKER, type ForkNote } from '../log/fork-session.ts'
import { DATABASE_FILE, LAYERS_FOLDER } from '../file-names.ts'
import { deadHolders } from '../claims/life-lock.ts'
import { checkBlobs } from './check-blobs.ts'
import { blobsOf, checkSession, loggedIds, unlessCorrupt } from './check-log.ts'
import { openSearchCheck } from './check-search.ts'
import {
  createFindings,
  databaseDamaged,
  type Findings,
  indexDamaged,
  leftLayers,
  leftovers,
  missingLayer,
  newerSchema,
  notWritable,
} from './findings.ts'

export type Examined = Omit<DoctorReport, 'at' | 'version' | 'durationMs' | 'repaired'>

/** Maximum number of lines of SQLite's own check that are reported. */
const MAX_LINES = 10
/** Number of events and blobs between two progress reports. */
const PROGRESS_EVERY = 1_000

/**
 * Checks everything in a data folder. Changes nothing, except that a history of an older version is migrated, as at every launch. Blocks
 * its own thread, but other processes and threads can read and write in the meantime.
 */
export async function examine(Class: DatabaseClass, dataFolder: string, onProgress: (read: number) => void): Promise<Examined> {
  const findings = createFindings()
  let read = 0
  const count = (): void => {
    if (++read % PROGRESS_EVERY === 0) onProgress(read)
  }
  const file = join(dataFolder, DATABASE_FILE)
  const blobs = { folder: join(dataFolder, 'blobs'), findings, onBlob: count }
  const hasFile = existsSync(file) || existsSync(`${file}-wal`)
  const opened = hasFile ? await openDatabase(Class, file, MIGRATIONS) : null
  checkLeftovers(Class, dataFolder, findings)
  if (!opened?.ok) {
    if (opened) findings.add({ ...opened.failure, kind: 'database', sessionId: null, isRepairable: false, isHarmless: false })
    return { ...NOTHING, ...checkBlobs({ db: null, needed: new Map(), ...blobs }), ...findings.report() }
  }
  const { db, readOnly, copyIn } = opened.value
  try {
    const version = Number(db.pragma('user_version', { simple: true }))
    if (version > newest(MIGRATIONS)) findings.add(newerSchema(version, newest(MIGRATIONS)))
    else if (readOnly) findings.add(notWritable(readOnly.what))
    checkDatabase(db, findings)
    const log = checkLog(Class, db, dataFolder, findings, count)
    checkLayers(db, dataFolder, findings)
    const { needed, ...counts } = log
    return { ...counts, ...checkBlobs({ db, needed, ...blobs }), ...findings.report() }
  } finally {
    db.close()
    if (copyIn !== null) await rm(copyIn, { recursive: true, force: true })
  }
}

const NOTHING = { onDisk: 0, listed: 0, readable: 0, events: 0 }

function checkDatabase(db: Connection, findings: Findings): void {
  let lines: readonly string[]
  try {
    lines = db.prepare<[], string>(`PRAGMA integrity_check(${MAX_LINES})`).pluck().all()
  } catch (error) {
    lines = [error instanceof Error ? error.message : String(error)]
  }
  if (lines.join() === 'ok') return
  const inIndex = lines.every((line) => /^(row \d+ missing from index|wrong # of entries in index|non-unique entry in index)/u.test(line))
  findings.add(inIndex ? indexDamaged(lines) : databaseDamaged(lines))
}

function checkLog(Class: DatabaseClass, db: Connection, dataFolder: string, findings: Findings, count: () => void) {
  const search = openSearchCheck(Class, dataFolder, findings)
  const copied = forkCopies(db)
  const expected: number[] = []
  const needed = new Map<BlobHash, SessionId>()
  const requests = new Map<ApprovalId, readonly Effect[]>()
  const sources: TextSources = { changedLines: () => [], requested: ({ approvalId }) => requests.get(approvalId) ?? [] }
  let events = 0
  const ids = loggedIds(db)
  for (const id of ids)
    checkSession(id, {
      db,
      findings,
      onEvent(sessionId, seq, event) {
        events++
        count()
        for (const hash of blobsOf(event)) if (!needed.has(hash)) needed.set(hash, sessionId)
        if (!search) return
        if (event.kind === 'APPROVAL_REQUESTED') requests.set(event.approvalId, event.effects)
        if (seq > (copied.get(sessionId) ?? 0) && searchableTexts(event, sources).length > 0) expected.push(seq)
        if (event.kind === 'APPROVAL_ANSWERED') requests.delete(event.approvalId)
      },
    })
  search?.compare(expected, new Set(loggedIds(db)))
  search?.close()
  const listed = unlessCorrupt(
    () => db.prepare<[], number>('SELECT count(*) FROM sessions').pluck().get() ?? 0,
    () => 0,
  )
  return { onDisk: ids.length, listed, readable: ids.length - findings.unreadableSessions.size, events, needed }
}

/**
 * For each fork, the newest event that was copied from its source. The search finds the copied events in the source instead of the fork.
 */
function forkCopies(db: Connection): ReadonlyMap<SessionId, number> {
  const rows = db.prepare<[string], { session_id: SessionId; value: string }>('SELECT session_id, value FROM markers WHERE name = ?')
  return new Map(
    rows.all(FORK_MARKER).map(({ session_id: id, value }) => [id, (JSON.parse(value) as ForkNote).copiedTo ?? Number.MAX_SAFE_INTEGER]),
  )
}

function checkLeftovers(Class: DatabaseClass, dataFolder: string, findings: Findings): void {
  const locks = join(dataFolder, 'leases')
  const dead = existsSync(locks) ? deadHolders(Class, locks).length : 0
  const partial = join(dataFolder, 'blobs', 'partial')
  // Files younger than a day may still be in use.
  const old = existsSync(partial)
    ? readdirSync(partial).filter(
        (name) => (statSync(join(partial, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - DAY_MS,
      )
    : []
  if (dead + old.length > 0) findings.add(leftovers(dead + old.length))
}

/** Each session beside its folder that has done something needs its layer. */
function checkLayers(db: Connection, dataFolder: string, findings: Findings): void {
  const folder = join(dataFolder, LAYERS_FOLDER)
  const onDisk = new Set(existsSync(folder) ? readdirSync(folder) : [])
  const rows = unlessCorrupt(
    () =>
      db
        .prepare<[], { session_id: SessionId; needs: number }>(
          `SELECT session_id, parent IS NULL AND steps > 0 AND config ->> '$.where.kind' = 'beside' AS needs FROM sessions`,
        )
        .all(),
    () => null,
  )
  if (rows === null) return
  for (const { session_id: sessionId, needs } of rows) {
    if (needs === 1 && !onDisk.has(sessionId)) findings.add(missingLayer(sessionId))
    onDisk.delete(sessionId)
  }
  if (onDisk.size > 0) findings.add(leftLayers(onDisk.size))
}

const DAY_MS = 24 * 60 * 60_000

import { hashOf } from '../../agent/blob-hash.ts'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from '../database/connection.ts'
import { unlessCorrupt } from './check-log.ts'
import { blobDamaged, blobMissing, blobsMisnamed, databaseDamaged, type Findings } from './findings.ts'

/** Number of hashes that are read in one query, and number of bytes of a file that are read in one piece. */
const BATCH = 500
const CHUNK = 1024 * 1024

const HASH = /^[0-9a-f]{64}$/u
/** Matches the name of an unfinished copy next to a blob. */
const UNFINISHED = /^[0-9a-f]{64}\./u

export interface BlobCheck {
  /** Null if the database cannot be opened. */
  readonly db: Connection | null
  readonly folder: string
  readonly findings: Findings
  /** For each blob, a session that needs it. */
  readonly needed: ReadonlyMap<BlobHash, SessionId>
  readonly onBlob: () => void
}

/** Reads every blob and checks that its content matches its name. Then reports the blobs that events refer to but that are missing. */
export function checkBlobs(parts: BlobCheck): { readonly blobs: number; readonly blobBytes: number } {
  const { db, folder, findings, needed, onBlob } = parts
  const present = new Set<string>()
  let blobBytes = 0
  const check = (hash: string, found: { readonly hash: string; readonly bytes: number } | null): void => {
    present.add(hash)
    onBlob()
    blobBytes += found?.bytes ?? 0
    if (found?.hash !== hash) findings.add(blobDamaged(hash, needed.get(hash as BlobHash) ?? null))
  }
  for (const hash of db ? storedHashes(db, (error) => findings.add(databaseDamaged([error.message]))) : []) {
    const found = rowHash(db, hash)
    if (found !== 'gone') check(hash, found)
  }
  const misnamed: string[] = []
  for (const { name, path } of blobFiles(folder)) {
    if (UNFINISHED.test(name)) continue
    if (!HASH.test(name)) misnamed.push(name)
    else {
      const found = fileHash(path)
      if (found !== 'gone') check(name, found)
    }
  }
  if (misnamed.length > 0) findings.add(blobsMisnamed(misnamed))
  if (db) reportMissing(parts, db, present)
  return { blobs: present.size, blobBytes }
}

/** A blob that was deleted or stored during the check is not missing. */
function reportMissing({ folder, findings, needed }: BlobCheck, db: Connection, present: ReadonlySet<string>): void {
  const hasEvents = db.prepare<[SessionId], number>('SELECT 1 FROM events WHERE session_id = ? LIMIT 1').pluck()
  const isStored = db.prepare<[Uint8Array], number>('SELECT 1 FROM blobs WHERE hash = ?').pluck()
  const missing = [...needed].filter(
    ([hash, sessionId]) =>
      !present.has(hash) &&
      hasEvents.get(sessionId) === 1 &&
      isStored.get(Buffer.from(hash, 'hex')) !== 1 &&
      !existsSync(join(folder, hash.slice(0, 2), hash)),
  )
  for (const [sessionId, own] of Map.groupBy(missing, ([, id]) => id))
    findings.add(
      blobMissing(
        sessionId,
        own.map(([hash]) => hash),
      ),
    )
}

function* storedHashes(db: Connection, onDamage: (error: Error) => void): Generator<string> {
  // Only the index is read, so that a damaged page with the content of a blob does not end the list.
  const next = db.prepare<[Uint8Array, number], Buffer>('SELECT hash FROM blobs WHERE hash > ? ORDER BY hash LIMIT ?').pluck()
  for (let last: Uint8Array = Buffer.alloc(0); ;) {
    const batch = unlessCorrupt(
      () => next.all(last, BATCH),
      (error) => (onDamage(error), []),
    )
    for (const hash of batch) yield hash.toString('hex')
    last = batch.at(-1) ?? last
    if (batch.length < BATCH) return
  }
}

type Found = { readonly hash: string; readonly bytes: number } | null | 'gone'

/** Null if the row cannot be read. */
function rowHash(db: Connection | null, hash: string): Found {
  try {
    const bytes = db?.prepare<[Uint8Array], Buffer>('SELECT bytes FROM blobs WHERE hash = ?').pluck().get(Buffer.from(hash, 'hex'))
    return bytes ? { hash: hashOf(bytes), bytes: bytes.length } : 'gone'
  } catch {
    return null
  }
}

/** Reads the file piece by piece, because a stored output may be larger than one buffer can be. */
function fileHash(path: string): Found {
  let handle: number | null = null
  try {
    handle = openSync(path, 'r')
    const sum = createHash('sha256')
    const chunk = Buffer.alloc(CHUNK)
    let bytes = 0
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      sum.update(chunk.subarray(0, read))
      bytes += read
    }
    return { hash: sum.digest('hex'), bytes }
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'gone' : null
  } finally {
    if (handle !== null) closeSync(handle)
  }
}

function blobFiles(folder: string): readonly { readonly name: string; readonly path: string }[] {
  if (!existsSync(folder)) return []
  const groups = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name.length === 2)
  return groups.flatMap((group) => {
    const within = join(folder, group.name)
    return readdirSync(within).map((name) => ({ name, path: join(within, name) }))
  })
}

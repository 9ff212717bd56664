import { hashOf } from '../../agent/blob-hash.ts'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from '../database/connection.ts'
import { unlessCorrupt } from './check-log.ts'
import { blobDamaged, blobMissing, blobsMisnamed, databaseDamaged, type Findings } from './findings.ts'

/** Hashes that are read at once, and bytes of a file. */
const BATCH = 500
const CHUNK = 1024 * 1024

const HASH = /^[0-9a-f]{64}$/u
/** An unfinished copy beside its final name. */
const UNFINISHED = /^[0-9a-f]{64}\./u

export interface BlobCheck {
  /** Null: the database cannot be opened. */
  readonly db: Connection | null
  readonly folder: string
  readonly findings: Findings
  /** A session that needs it, by content. */
  readonly needed: ReadonlyMap<BlobHash, SessionId>
  readonly onBlob: () => void
}

/** Reads all stored contents and compares each with its name; then looks for those that events name and that are not there. */
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

/** Deleted or stored while the check ran: neither is missing. */
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
  // The index alone is read, so a damaged page of contents does not end the list.
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

/** Null: it cannot be read. */
function rowHash(db: Connection | null, hash: string): Found {
  try {
    const bytes = db?.prepare<[Uint8Array], Buffer>('SELECT bytes FROM blobs WHERE hash = ?').pluck().get(Buffer.from(hash, 'hex'))
    return bytes ? { hash: hashOf(bytes), bytes: bytes.length } : 'gone'
  } catch {
    return null
  }
}

/** Read piece by piece: a stored output may be larger than the memory that one buffer may have. */
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

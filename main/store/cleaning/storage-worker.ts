import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { ProjectWeight, SessionWeight, StorageReport, Weight } from '../../../shared/api/storage.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { databaseClass } from '../database/database.ts'
import { DATABASE_FILE } from '../file-names.ts'
import { deleteBlobs, deleteSessions, DELETING_MARKER, vacuumSome } from './delete-sessions.ts'
import { createBlobReferences } from './blob-references.ts'
import type { StorageJob, StorageMessage, StorageReply } from './storage-thread.ts'

/** Files with decisions of the user that name the contents of trusted scripts. */
const DECISION_FILES = ['free-hooks.json', 'mcp-choices.json']

const { dataFolder } = workerData as { readonly dataFolder: string }
const Class = await databaseClass()
const db = new Class(join(dataFolder, DATABASE_FILE), { timeout: 5_000 })
const folder = join(dataFolder, 'blobs')
const blob = db.prepare<[Uint8Array], Buffer>('SELECT bytes FROM blobs WHERE hash = ?').pluck()
const references = createBlobReferences(db, {
  folder,
  read(hash) {
    const path = join(folder, hash.slice(0, 2), hash)
    return blob.get(Buffer.from(hash, 'hex')) ?? (existsSync(path) ? readFileSync(path) : null)
  },
  decisions: () =>
    DECISION_FILES.map((name) => join(dataFolder, name))
      .filter((path) => existsSync(path))
      .map((path) => readFileSync(path, 'utf8')),
})

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)
const weightOf = ({ events, blobs }: Weight): number => events + blobs

function databaseBytes(): number {
  return sum(['', '-wal'].map((end) => sizeOf(join(dataFolder, `${DATABASE_FILE}${end}`))))
}

/** Sizes of the files on disk in bytes. */
function filesOnDisk(): Pick<StorageReport, 'database' | 'blobFiles' | 'searchIndex'> {
  const groups = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name.length === 2)
  const files = groups.flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => sizeOf(join(folder, name, file))))
  const searchIndex = sum(['', '-wal'].map((end) => sizeOf(join(dataFolder, `search.db${end}`))))
  return { database: databaseBytes(), blobFiles: sum(files), searchIndex }
}

function report(): StorageReport {
  references.refresh()
  const families = references.families()
  const weights = references.weighEach(families.map(({ ids }) => ids))
  const sessions = families.flatMap(({ root, folder: cwd }, at): SessionWeight[] => {
    const weight = weights[at]
    return weight ? [{ sessionId: root, folder: cwd, weight }] : []
  })
  const byFolder = [...Map.groupBy(families, ({ folder: cwd }) => cwd)]
  const ofFolders = references.weighEach(byFolder.map(([, own]) => new Set(own.flatMap(({ ids }) => [...ids]))))
  const projects = byFolder.flatMap(([cwd, own], at): ProjectWeight[] => {
    const weight = ofFolders[at]
    return weight ? [{ folder: cwd, sessions: own.length, weight }] : []
  })
  return {
    ...filesOnDisk(),
    free: Number(db.pragma('freelist_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
    unreferenced: sum([...references.unreferenced(null).values()]),
    sessions: sessions.toSorted((a, b) => weightOf(b.weight) - weightOf(a.weight)),
    projects: projects.toSorted((a, b) => weightOf(b.weight) - weightOf(a.weight)),
  }
}

/** These sessions and all their subagents. */
function withAgents(ids: readonly SessionId[]): ReadonlySet<SessionId> {
  const asked = new Set(ids)
  return new Set([...ids, ...references.families().flatMap((family) => (asked.has(family.root) ? [...family.ids] : []))])
}

function answer(job: StorageJob): StorageReply {
  switch (job.kind) {
    case 'size':
      return { kind: 'done', bytes: sum(Object.values(filesOnDisk())) }
    case 'measure':
      return { kind: 'measure', report: report() }
    case 'weigh': {
      references.refresh()
      const ids = withAgents(job.sessionIds)
      return { kind: 'weigh', weight: references.weigh(ids), sessionIds: [...ids], blobs: [...references.exclusive(ids).keys()] }
    }
    case 'delete':
      deleteSessions(db, job.sessionIds)
      return { kind: 'done', bytes: 0 }
    case 'unfinished': {
      const ids = db.prepare<[string], SessionId>('SELECT session_id FROM markers WHERE name = ?').pluck().all(DELETING_MARKER)
      if (ids.length > 0) deleteSessions(db, ids)
      return { kind: 'done', bytes: 0 }
    }
    case 'sweep': {
      references.refresh()
      const kept = new Set(job.kept)
      const wanted = job.blobs && new Set(job.blobs)
      const gone = [...references.unreferenced(wanted)].filter(([hash]) => !kept.has(hash))
      deleteBlobs(
        db,
        folder,
        gone.map(([hash]) => hash),
      )
      references.removed(gone.map(([hash]) => hash))
      return { kind: 'done', bytes: sum(gone.map(([, size]) => size)) }
    }
    case 'vacuum':
      return { kind: 'vacuum', more: vacuumSome(db), database: databaseBytes() }
    case 'checkpoint':
      db.pragma('wal_checkpoint(PASSIVE)')
      return { kind: 'done', bytes: 0 }
  }
}

parentPort?.on('message', ({ id, ...job }: StorageMessage) => {
  try {
    parentPort?.postMessage({ ...answer(job), id })
  } catch (error) {
    parentPort?.postMessage({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
})

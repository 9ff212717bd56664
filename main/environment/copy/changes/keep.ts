import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { CopyChange, CopyChangeSet, CopyObstacle, KeptChangeSet, StandingEntry } from '../../../agent/ports/command-copies.ts'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'

/** Each waits for the disk most of the time. */
const READ_AT_ONCE = 8

export interface Keeping {
  readonly changeSet: CopyChangeSet
  /** Real path. */
  readonly folder: string
  /** Real path of where its files are. */
  readonly source: string
  readonly layerUp: string
  readonly store: (bytes: Uint8Array) => BlobHash
}

/** The change set as data, once the bytes of all files that it names are stored. */
export async function keepChangeSet({ changeSet, folder, source, layerUp, store }: Keeping): Promise<KeptChangeSet> {
  const kept = { ...changeSet, version: 1 as const, folder, device: await deviceOf(source) }
  if (changeSet.obstacles.length > 0) return kept
  const obstacles: CopyObstacle[] = []
  const stored = new Set<string>()
  const keep = async (root: string, path: string, hash: string): Promise<void> => {
    if (stored.has(hash)) return
    const bytes = await bytesAt(`${root}/${path}`, hash)
    if (bytes === null) return void obstacles.push({ kind: 'changed-meanwhile', path })
    store(bytes)
    stored.add(hash)
  }
  await mapAtOnce(changeSet.changes, READ_AT_ONCE, async (change) => {
    const { before, after } = filesOf(change)
    if (before !== null) await keep(source, change.path, before)
    if (after !== null) await keep(layerUp, change.path, after)
  })
  return { ...kept, obstacles }
}

/** Hashes of the file before and after; null: there is none. */
function filesOf(change: CopyChange): { readonly before: string | null; readonly after: string | null } {
  const before = change.kind !== 'created' && change.before.kind === 'file' ? change.before.hash : null
  const after = change.kind !== 'deleted' && change.after.kind === 'file' ? change.after.hash : null
  return { before, after }
}

/** Null: there are other bytes by now, or none. */
async function bytesAt(path: string, hash: string): Promise<Uint8Array | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (handle === null) return null
  try {
    const bytes = await handle.readFile()
    return createHash('sha256').update(bytes).digest('hex') === hash ? bytes : null
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

/** The change set with inodes as they are named now: the folder's device may have another number than before a restart of the machine. */
export async function withCurrentDevice({ changes, device, obstacles, leftOut }: KeptChangeSet, source: string): Promise<CopyChangeSet> {
  const now = await deviceOf(source)
  const renamed = (before: StandingEntry): StandingEntry =>
    before.inode.startsWith(`${device}:`) ? { ...before, inode: `${now}${before.inode.slice(device.length)}` } : before
  return {
    changes: changes.map((change) => (change.kind === 'created' ? change : { ...change, before: renamed(change.before) })),
    obstacles,
    leftOut,
  }
}

async function deviceOf(folder: string): Promise<string> {
  return String((await stat(folder, { bigint: true })).dev)
}

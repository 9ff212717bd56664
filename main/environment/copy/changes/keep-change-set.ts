import { hashInSlices } from '../../../agent/blob-hash.ts'
import { constants } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  CopyChange,
  CopyChangeSet,
  CopyObstacle,
  KeptChangeSet,
  StandingEntry,
  StoreBytes,
} from '../../../agent/ports/command-copies.ts'
import { makeHeldFolder } from '../overlay-layer.ts'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'

/** Number of files that are handled at the same time. Each waits for the disk most of the time. */
const READ_AT_ONCE = 8

export interface Keeping {
  readonly changeSet: CopyChangeSet
  /** The real path of the project folder. */
  readonly folder: string
  /** The real path of the folder that commands see as `folder`. */
  readonly source: string
  readonly layerUp: string
  /** The folder that contains the copies and, until their request is answered, the ignored trees. */
  readonly layers: string
  readonly store: StoreBytes
}

/** The change set as data, once the bytes of all its files are stored. */
export async function keepChangeSet({ changeSet, folder, source, layerUp, layers, store }: Keeping): Promise<KeptChangeSet> {
  const kept = { ...changeSet, version: 1 as const, folder, device: await deviceOf(source) }
  if (changeSet.obstacles.length > 0) return kept
  const obstacles: CopyObstacle[] = []
  const stored = new Set<string>()
  const keep = async (root: string, path: string, hash: string): Promise<void> => {
    if (stored.has(hash)) return
    const bytes = await bytesAt(`${root}/${path}`, hash)
    if (bytes === null) return void obstacles.push({ kind: 'changed-meanwhile', path })
    await store(bytes)
    stored.add(hash)
  }
  await mapAtOnce(changeSet.changes, READ_AT_ONCE, async (change) => {
    const { before, after } = filesOf(change)
    if (before !== null) await keep(source, change.path, before)
    if (after !== null) await keep(layerUp, change.path, after)
  })
  const changes = obstacles.length > 0 ? kept.changes : await withHeldTrees(kept.changes, layerUp, layers)
  return { ...kept, changes, obstacles }
}

/** Moves the ignored trees out of the copy, because they are needed until the request is answered, but the copy is removed before that. */
async function withHeldTrees(changes: readonly CopyChange[], layerUp: string, layers: string): Promise<readonly CopyChange[]> {
  const trees = changes.filter((change) => change.kind === 'created' && change.after.kind === 'tree')
  if (trees.length === 0) return changes
  const name = await makeHeldFolder(layers)
  const places = new Map(trees.map(({ path }, index) => [path, `${name}/${index}`]))
  for (const [path, held] of places) await rename(`${layerUp}/${path}`, join(layers, held))
  return changes.map((change) => {
    const held = places.get(change.path)
    return held !== undefined && change.kind === 'created' && change.after.kind === 'tree'
      ? { ...change, after: { ...change.after, held } }
      : change
  })
}

/** The names of the folders in which a change set's ignored trees are kept until the request is answered. */
export const heldBy = ({ changes }: Pick<CopyChangeSet, 'changes'>): ReadonlySet<string> =>
  new Set(
    changes.flatMap((change) =>
      change.kind === 'created' && change.after.kind === 'tree' ? [change.after.held.split('/', 1)[0] ?? ''] : [],
    ),
  )

/** Hashes of the file before and after the change. Null if there is no file. */
function filesOf(change: CopyChange): { readonly before: string | null; readonly after: string | null } {
  const before = change.kind !== 'created' && change.before.kind === 'file' ? change.before.hash : null
  const after = change.kind !== 'deleted' && change.after.kind === 'file' ? change.after.hash : null
  return { before, after }
}

/** Returns the file's bytes if they have this hash. Returns null if the file has other bytes or does not exist. */
async function bytesAt(path: string, hash: string): Promise<Uint8Array | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (handle === null) return null
  try {
    const bytes = await handle.readFile()
    return (await hashInSlices(bytes)) === hash ? bytes : null
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

/**
 * The change set with the current device number in its inodes, because the folder's device may have another number after a restart of the
 * machine.
 */
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

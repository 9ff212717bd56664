import { join } from 'node:path'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { toolError } from '../agent/tool-output.ts'
import type { CopyChange, KeptChangeSet } from '../agent/ports/command-copies.ts'
import type { LayerBase, LayerFile, Layers } from '../agent/ports/layers.ts'
import { fileOfEntry, isSameAsEntry } from '../agent/layer-file.ts'
import { rebaseLayerChanges } from '../changes/rebase-layer-changes.ts'
import type { Store } from '../store/store.ts'
import { NO_LAYERS, type Workspace, type Workspaces } from '../workspace/workspaces.ts'

export interface TakeOverParts {
  readonly store: Pick<Store, 'sessions' | 'blobs'>
  readonly workspaces: Workspaces
}

/**
 * Merges what has changed in the folder into a session's layer. If it fails, nothing is merged. If the app is killed meanwhile, some files
 * may be merged already, and count as merged; another call completes the merge. Lines in conflict stay as they are in the layer, and are
 * shown when its work is brought in.
 */
export async function takeOver(parts: TakeOverParts, sessionId: SessionId): Promise<Result<null, Trouble>> {
  const { store, workspaces } = parts
  const session = store.sessions.get(sessionId)
  if (session?.config.where?.kind !== 'beside') return failed(NO_LAYERS)
  const folder = await workspaces.open(session.folder)
  if (!folder.ok) return folder
  const layer = await workspaces.openLayer(session.folder, sessionId)
  try {
    if (!layer.ok) return layer
    const { exclusively } = layer.value
    return await exclusively(() => merged(parts, folder.value, layer.value, sessionId), new AbortController().signal)
  } catch (error) {
    return failed(notTaken(toolError(error)))
  } finally {
    await folder.value.close()
    if (layer.ok) await layer.value.close()
  }
}

async function merged(
  { store: { blobs } }: TakeOverParts,
  { layers }: Workspace,
  { copies, environment }: Workspace,
  sessionId: SessionId,
): Promise<Result<null, Trouble>> {
  if (layers === null || copies === null) return failed(NO_LAYERS)
  const moved = await layers.moved(sessionId)
  const read = (path: string): Promise<Uint8Array> => environment.readBytes(join(moved.folder, path))
  const { changeSet, conflicts, kept } = await rebaseLayerChanges(moved, (paths) => layers.entriesIn(sessionId, paths), blobs, read)
  const changed: KeptChangeSet = { ...changeSet, changes: changeSet.changes.filter((change) => !isNoChange(change)) }
  const isOpen = (path: string): boolean => conflicts.has(path) || kept.includes(path)
  const bases = moved.files.flatMap(({ path, own }): readonly LayerBase[] => (isOpen(path) ? [] : [{ path, base: own }]))
  const written = new Map(changeSet.changes.map((change) => [change.path, fileAfter(change)]))
  // A file that is not in the change set is the same on both sides.
  await layers.rebase(
    sessionId,
    bases.map(({ path, base }) => ({ path, base, own: written.has(path) ? (written.get(path) ?? null) : base })),
  )
  const applied = await copies.apply(changed, (hash) => blobs.getInSlices(hash)).catch(refusedBy)
  if (applied.kind === 'applied') {
    await layers.rebase(sessionId, bases)
    return ok(null)
  }
  // Without this, an equal change that the session makes later would count as taken over, and would not be brought in.
  const arrived = await arrivedIn(layers, sessionId, written)
  await layers.rebase(
    sessionId,
    moved.files.flatMap(({ path, base }) => (arrived.has(path) ? [] : [{ path, base }])),
  )
  return failed(notTaken(applied.reason))
}

const refusedBy = (error: unknown) => ({ kind: 'refused', reason: toolError(error) }) as const

/** The paths that were written before the failure. */
async function arrivedIn(
  layers: Pick<Layers, 'entriesIn'>,
  sessionId: SessionId,
  written: ReadonlyMap<string, LayerFile | null>,
): Promise<ReadonlySet<string>> {
  const paths = [...written.keys()]
  const { entries } = await layers.entriesIn(sessionId, paths)
  const isThere = (path: string, index: number): boolean => isSameAsEntry(written.get(path) ?? null, entries[index] ?? null)
  return new Set(paths.filter(isThere))
}

const fileAfter = (change: CopyChange): LayerFile | null => (change.kind === 'deleted' ? null : fileOfEntry(change.after))

function isNoChange(change: CopyChange): boolean {
  if (change.kind !== 'modified' || change.before.kind !== 'file' || change.after.kind !== 'file') return false
  return change.before.hash === change.after.hash && change.before.mode === change.after.mode
}

const notTaken = (why: string): Trouble => ({
  code: 'not_taken_over',
  what: `The folder’s changes were not taken into the layer. ${why}`,
  kept: 'The layer and the folder are unchanged.',
  todo: 'Try again when nothing is being changed in the folder.',
})

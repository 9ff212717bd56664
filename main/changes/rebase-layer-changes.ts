import { hashInSlices } from '../agent/blob-hash.ts'
import { concatInSlices } from '../agent/event-loop-slices.ts'
import type { BlobHash } from '../../shared/lib/ids.ts'
import type { ConflictSides } from '../../shared/session/effects.ts'
import type { CopiedEntry, CopyChange, KeptChangeSet, StandingEntry } from '../agent/ports/command-copies.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import { isSameAsEntry, isRegular } from '../agent/layer-file.ts'
import type { LayerChange, LayerChanges, Layers, LayerFile } from '../agent/ports/layers.ts'
import { mergedPieces, mergeStep, mergeStepInSlices } from './undo/merge-step.ts'

/** A subagent's changes, rebased onto the current folder. Conflicting lines keep the folder's version. */
export interface RebasedChanges {
  readonly changeSet: KeptChangeSet
  /** Files with lines in conflict, by relative path. */
  readonly conflicts: ReadonlyMap<string, ConflictSides>
  /**
   * Relative paths of files that are in conflict but cannot be merged line by line. They are not in the change set, so the folder's version
   * is kept.
   */
  readonly kept: readonly string[]
}

type Now = Exclude<StandingEntry, { kind: 'folder' }> | null
type Merged =
  | { readonly kind: 'change'; readonly path: string; readonly changes: readonly CopyChange[]; readonly sides?: ConflictSides }
  | { readonly kind: 'conflict' | 'same'; readonly path: string }

/** Merges three versions of each file: as the subagent found it, as the subagent left it, and as it is now. */
export async function rebaseLayerChanges(
  { folder, files }: LayerChanges,
  entriesOf: Layers['entriesOf'],
  blobs: Pick<BlobStore, 'getInSlices' | 'putInSlices'>,
  read: (path: string) => Promise<Uint8Array>,
): Promise<RebasedChanges> {
  const { entries, device } = await entriesOf(files.map(({ path }) => path))
  // A folder is never replaced by a file or link. It stays, with everything in it.
  const folders = new Set(files.flatMap(({ path, own }, index) => (entries[index]?.kind === 'folder' && own !== null ? [path] : [])))
  const isInFolder = (path: string): boolean => foldersAbove(path).some((above) => folders.has(above))
  const merged: Merged[] = []
  for (const [index, file] of files.entries()) {
    const now = entries[index] ?? null
    const one: Merged =
      now?.kind === 'folder'
        ? { kind: file.own === null ? 'same' : 'conflict', path: file.path }
        : await mergedFile(file, now, blobs, () => read(file.path))
    merged.push(one.kind === 'change' && isInFolder(file.path) ? { kind: 'conflict', path: file.path } : one)
  }
  const { changes, blocked } = await withNewFolders(
    merged.flatMap((one) => (one.kind === 'change' ? one.changes : [])),
    entriesOf,
  )
  return {
    changeSet: { version: 1, folder, device, changes, obstacles: [], leftOut: [] },
    conflicts: new Map(merged.flatMap((one) => (one.kind === 'change' && one.sides ? [[one.path, one.sides] as const] : []))),
    kept: [...merged.flatMap((one) => (one.kind === 'conflict' ? [one.path] : [])), ...blocked],
  }
}

async function mergedFile(
  { path, base, own }: LayerChange,
  now: Now,
  blobs: Pick<BlobStore, 'getInSlices' | 'putInSlices'>,
  read: () => Promise<Uint8Array>,
): Promise<Merged> {
  if (isSameAsEntry(own, now)) return { kind: 'same', path }
  if (isSameAsEntry(base, now)) return { kind: 'change', path, changes: changesTo(path, now, own && (await entryOf(own, blobs))) }
  if (!isRegular(base) || !isRegular(own) || now?.kind !== 'file') return { kind: 'conflict', path }
  const bytes = await read()
  // Someone has just changed the file, so it counts as a conflict. A file that changes later is noticed when the changes are applied.
  if ((await hashInSlices(bytes)) !== now.hash) return { kind: 'conflict', path }
  await blobs.putInSlices(bytes)
  const merge = await mergeStepInSlices({
    before: await blobs.getInSlices(own.hash),
    step: await blobs.getInSlices(base.hash),
    now: bytes,
  })
  if (merge === null) return { kind: 'conflict', path }
  const regions = merge.parts.flatMap((part) => (part.kind === 'conflict' ? [part.region] : []))
  const pieces = mergedPieces(
    merge,
    regions.map(() => 'now'),
  )
  if (pieces === null) throw new Error('A merge needs exactly one choice for each conflict.')
  const after = await concatInSlices(pieces)
  const mode = own.mode === base.mode ? now.mode : own.mode
  const entry = await entryOf({ hash: await blobs.putInSlices(after), size: after.length, mode }, blobs)
  const sides = { base: base.hash, own: own.hash, regions }
  return { kind: 'change', path, changes: changesTo(path, now, entry), ...(regions.length > 0 && { sides }) }
}

async function entryOf({ hash, size, mode }: LayerFile, blobs: Pick<BlobStore, 'getInSlices'>): Promise<CopiedEntry> {
  if (mode !== null) return { kind: 'file', hash, size, mode, mtimeMs: Date.now() }
  return { kind: 'link', target: Buffer.from(await blobs.getInSlices(hash)).toString() }
}

/** A file that becomes a link, or a link that becomes a file, is deleted and created. */
function changesTo(path: string, now: Now, after: CopiedEntry | null): readonly CopyChange[] {
  if (now !== null && after?.kind === now.kind) return [{ kind: 'modified', path, before: now, after }]
  const deleted: readonly CopyChange[] = now === null ? [] : [{ kind: 'deleted', path, before: now }]
  const created: readonly CopyChange[] = after === null ? [] : [{ kind: 'created', path, after }]
  return [...deleted, ...created]
}

/**
 * Adds changes that create the folders above new files, parents first. `blocked`: new files that are left out, because a folder above them
 * cannot be created: something else is at its path, and no change removes it.
 */
async function withNewFolders(changes: readonly CopyChange[], entriesOf: Layers['entriesOf']) {
  const above = changes.flatMap(({ kind, path }) => (kind === 'created' ? foldersAbove(path) : []))
  const folders = [...new Set(above)].toSorted()
  const { entries } = await entriesOf(folders)
  const removed = new Set(changes.flatMap(({ kind, path }) => (kind === 'deleted' ? [path] : [])))
  const isMade = (path: string, at: number): boolean => !entries[at] || removed.has(path)
  const obstacles = new Set(folders.filter((path, at) => !isMade(path, at) && entries[at]?.kind !== 'folder'))
  const isBlocked = (path: string): boolean => foldersAbove(path).some((folder) => obstacles.has(folder))
  const made = folders.filter((path, at) => isMade(path, at) && !isBlocked(path))
  const all = [
    // A file is removed before a folder takes its place.
    ...changes.filter(({ kind, path }) => kind !== 'created' || !isBlocked(path)),
    ...made.map((path): CopyChange => ({ kind: 'created', path, after: { kind: 'folder', mode: 0o755 } })),
  ]
  return {
    changes: all.toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path))),
    blocked: changes.flatMap(({ kind, path }) => (kind === 'created' && isBlocked(path) ? [path] : [])),
  }
}

const foldersAbove = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'))

/**
 * The bytes of a file once each conflict is decided. The choice `before` means the subagent's side. Null if the choices do not match the
 * conflicts.
 */
export function decidedBytes(
  { base, own }: ConflictSides,
  now: BlobHash,
  choices: Parameters<typeof mergedPieces>[1],
  blobs: Pick<BlobStore, 'get'>,
): Uint8Array | null {
  const merge = mergeStep({ before: blobs.get(own), step: blobs.get(base), now: blobs.get(now) })
  const pieces = merge && mergedPieces(merge, choices)
  return pieces && Buffer.concat(pieces)
}

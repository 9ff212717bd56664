import { BlobHash } from '../../shared/lib/ids.ts'
import { concatInSlices } from '../agent/event-loop-slices.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { AppliedChange, LayerBase, LayerChange, LayerChanges, LayerFile } from '../agent/ports/layers.ts'
import { mergedPieces, mergeStepInSlices } from './undo/merge-step.ts'

type Blobs = Pick<BlobStore, 'getInSlices' | 'putInSlices'>

/**
 * The files on which a layer is based once a part of its changes was applied to the folder. They contain what was applied, and nothing that
 * others have changed in the folder: the layer does not have that yet. A file for which that cannot be told keeps its base, so what was
 * applied from it is shown again.
 */
export async function basesAfterBringIn(own: LayerChanges, applied: readonly AppliedChange[], blobs: Blobs): Promise<readonly LayerBase[]> {
  const files = new Map(own.files.map((file) => [file.path, file]))
  const bases: LayerBase[] = []
  for (const one of applied) {
    const file = files.get(one.change.path)
    const base = file && (await baseAfter(file, one, blobs))
    if (base !== undefined) bases.push({ path: one.change.path, base })
  }
  return bases
}

/** Undefined if it cannot be told. */
async function baseAfter(
  { base, own }: LayerChange,
  { change, isWhole }: AppliedChange,
  blobs: Blobs,
): Promise<LayerFile | null | undefined> {
  if (isWhole) return own
  if (change.kind === 'deleted' || change.after.kind !== 'file') return undefined
  const { size, mode } = change.after
  const hash = BlobHash.parse(change.after.hash)
  const signed = { hash, size, mode: mode & 0o777 }
  if (change.kind === 'created') return signed
  if (base === null || change.before.kind !== 'file') return undefined
  if (change.before.hash === base.hash) return signed
  const merge = await mergeStepInSlices({
    before: await blobs.getInSlices(hash),
    step: await blobs.getInSlices(BlobHash.parse(change.before.hash)),
    now: await blobs.getInSlices(base.hash),
  })
  const pieces = merge && mergedPieces(merge, [])
  if (pieces === null) return undefined
  const bytes = await concatInSlices(pieces)
  return { hash: await blobs.putInSlices(bytes), size: bytes.length, mode: signed.mode }
}

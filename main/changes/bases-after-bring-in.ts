import { concatInSlices } from '../agent/event-loop-slices.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import { hasSameContent, isRegular } from '../agent/layer-file.ts'
import type { AppliedChange, LayerBase, LayerChanges, LayerFile } from '../agent/ports/layers.ts'
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
  for (const change of applied) {
    const file = files.get(change.path)
    if (file === undefined) continue
    const base = change.isWhole ? file.own : await baseAfter(file.base, change, blobs)
    if (base !== undefined) bases.push({ path: change.path, base })
  }
  return bases
}

/** The base with the same change as the folder's file. Undefined if the change does not fit. */
export async function baseAfter(
  base: LayerFile | null,
  { before, after }: Pick<AppliedChange, 'before' | 'after'>,
  blobs: Blobs,
): Promise<LayerFile | null | undefined> {
  if (hasSameContent(base, before)) return after
  if (!isRegular(base) || !isRegular(before) || !isRegular(after)) return undefined
  const merge = await mergeStepInSlices({
    before: await blobs.getInSlices(after.hash),
    step: await blobs.getInSlices(before.hash),
    now: await blobs.getInSlices(base.hash),
  })
  const pieces = merge && mergedPieces(merge, [])
  if (pieces === null) return undefined
  const bytes = await concatInSlices(pieces)
  return { hash: await blobs.putInSlices(bytes), size: bytes.length, mode: after.mode }
}

import { relative } from 'node:path'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Rollback } from '../../shared/session/rollback.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { LayerBase, LayerFile, Layers } from '../agent/ports/layers.ts'
import { baseAfter } from '../changes/bases-after-bring-in.ts'
import type { Undo } from '../changes/undo/undo.ts'
import { fileOfEntry, isSameFile } from '../agent/layer-file.ts'
import { type FileState, stateAfter, stateBefore } from '../changes/undo/undo-goals.ts'

interface UndoBringInParts {
  /** The session whose work was brought in. */
  readonly from: SessionId
  readonly folder: string
  readonly layers: Layers
  readonly blobs: Pick<BlobStore, 'getInSlices' | 'putInSlices'>
}

/** Undoes what was brought in, and leaves it in the layer, from which it can be brought in again. */
export function undoBringIn(undo: Undo, parts: UndoBringInParts): Undo {
  const rebase = async (rollback: Rollback): Promise<void> => parts.layers.rebase(parts.from, await basesAfter(rollback, parts))
  return {
    ...undo,
    async run(record, request, conversation) {
      const outcome = await undo.run(record, request, conversation)
      // The files are undone by now. If this fails, `finish` does it in the next process that opens the session.
      if (outcome.kind === 'done') await rebase(outcome.rollback).catch(() => {})
      return outcome
    },
    async finish(record) {
      await undo.finish(record)
      const newest = [...record.read()].findLast(({ event: { kind } }) => kind === 'FILES_CHANGED' || kind === 'ROLLED_BACK')?.event
      // A killed process may not have rebased the layer. Rebasing it again changes nothing.
      if (newest?.kind === 'ROLLED_BACK') await rebase(newest).catch(() => {})
    },
  }
}

async function basesAfter({ files }: Rollback, { from, folder, layers, blobs }: UndoBringInParts): Promise<readonly LayerBase[]> {
  const changed = new Map((await layers.changes(from)).files.map((file) => [file.path, file.base]))
  const paths = files.map(({ path }) => relative(folder, path))
  const { entries } = await layers.entriesIn(from, paths)
  const bases: LayerBase[] = []
  for (const [index, file] of files.entries()) {
    const path = paths[index] ?? ''
    const entry = entries[index]
    const own = entry ? fileOfEntry(entry) : null
    const known = changed.get(path)
    const before = fileOf(stateBefore(file))
    // If the folder had all that the layer has, the layer's own version was its base, even if nothing has compared the two since.
    const based = known === undefined || isSameFile(own, before) ? own : known
    const base = await baseAfter(based, { before, after: fileOf(stateAfter(file)) }, blobs)
    if (base !== undefined) bases.push({ path, base })
  }
  return bases
}

function fileOf(state: FileState): LayerFile | null {
  if (state === null) return null
  const { hash, bytes, mode, kind } = state
  return { hash, size: bytes, mode: kind === 'link' ? null : (mode ?? 0o644) & 0o777 }
}

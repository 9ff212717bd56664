import { join } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import { statsAt } from '../copy/changes/folder-entries.ts'
import { placesOf } from './layer-places.ts'

interface EitherParts {
  /** The folder of Countersign that contains the layers of both kinds. */
  readonly layers: string
  readonly overlay: Layers
  readonly clone: Layers
  /** Why new layers cannot be overlays, as a sentence. Null if they can. */
  whyClones(): Promise<string | null>
}

/**
 * Layers that are overlays where this machine can do that, and clones otherwise. A layer that exists stays what it is. A fork becomes what
 * it is forked from.
 */
export function eitherLayers({ layers, overlay, clone, whyClones }: EitherParts): Layers {
  const known = async (sessionId: SessionId): Promise<Layers | null> => {
    if ((await statsAt(join(layers, sessionId, 'up'))) !== null) return overlay
    return (await statsAt(placesOf(layers, sessionId).tree)) === null ? null : clone
  }
  const fresh = async (): Promise<Layers> => ((await whyClones()) === null ? overlay : clone)
  const of = async (sessionId: SessionId): Promise<Layers> => (await known(sessionId)) ?? fresh()
  return {
    missing: clone.missing,
    whyClones,
    whyUnconfined: clone.whyUnconfined,
    async make(sessionId, signal) {
      await (await known(sessionId))?.remove(sessionId)
      await (await fresh()).make(sessionId, signal)
    },
    async makeIfMissing(sessionId, from) {
      const kind = (await known(sessionId)) ?? (from && (await known(from))) ?? (await fresh())
      await kind.makeIfMissing(sessionId, from)
    },
    open: async (sessionId) => (await of(sessionId)).open(sessionId),
    changes: async (sessionId) => (await of(sessionId)).changes(sessionId),
    moved: async (sessionId) => (await of(sessionId)).moved(sessionId),
    rebase: async (sessionId, bases) => (await of(sessionId)).rebase(sessionId, bases),
    entriesOf: clone.entriesOf,
    entriesIn: async (sessionId, paths) => (await of(sessionId)).entriesIn(sessionId, paths),
    remove: async (sessionId) => (await of(sessionId)).remove(sessionId),
    async close() {
      await overlay.close()
      await clone.close()
    },
  }
}

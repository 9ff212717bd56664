import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import { once } from '../../../../shared/lib/once.ts'
import type { Layers } from '../../../agent/ports/layers.ts'
import { mayMapEverybody } from '../../copy/start/namespaces.ts'
import { standingEntries } from '../standing-entries.ts'
import { storedFile } from '../stored-file.ts'
import { durableLayerAt, finish, isMade, type LayerPlaces, makeDurableLayer, removeDurableLayer } from './durable-layer.ts'
import { type OpenLayer, openLayer, type OpenLayerParts } from './open-layer.ts'
import type { RunningInLayer } from './running-in-layer.ts'
import type { LayerStart } from './start-in-layer.ts'
import type { InsideFile } from './write-inside.ts'

export interface OverlayLayerParts extends LayerPlaces, Pick<OpenLayerParts, 'hidden' | 'put'> {
  /** The folder that the layers are views of. */
  readonly folder: string
  /** Why layers are impossible on this machine. Null if they are possible. */
  missing(): Promise<string | null>
}

/** Layers that are Linux overlays. Only what differs from the folder lies on the disk. */
export interface OverlayLayers extends Layers {
  /**
   * Starts a program in the layer of a session, and with it the layer's mount. Rejects with `ENOLAYER` if the session has no layer, if
   * something runs in it already, also in another process, or if the program could not be started in it: it has then not run at all.
   */
  start(sessionId: SessionId, argv: readonly [string, ...string[]], start: LayerStart): Promise<RunningInLayer>
  /**
   * Notes on which versions the files are based that the session has changed since the last call. Call it after each step of the session,
   * because the folder may change at any time.
   */
  mark(sessionId: SessionId): Promise<void>
  /** Makes programs in the layer see what was replaced in the folder. Does nothing if none runs. Call it when the folder has changed. */
  refresh(sessionId: SessionId): Promise<void>
  /** Writes or deletes files of the layer, in such a way that programs inside see it. */
  write(sessionId: SessionId, files: readonly InsideFile[]): Promise<void>
  /**
   * Makes the layer of session `to`, which begins with what is in the layer of `from`. Neither sees what the other does after that. Rejects
   * with `ENOLAYER` while a program runs in the layer of `from`.
   */
  fork(from: SessionId, to: SessionId): Promise<void>
  /** Ends every program in every layer. */
  close(): Promise<void>
}

/** Number of files that are read at the same time. Each mostly waits for the disk. */
const AT_ONCE = 8

export function createOverlayLayers(parts: OverlayLayerParts): OverlayLayers {
  const open = new Map<SessionId, OpenLayer>()
  const mapsEverybody = once(() => mayMapEverybody())
  const layerOf = (sessionId: SessionId): OpenLayer => {
    const known = open.get(sessionId)
    if (known) return known
    const opened = openLayer({ ...parts, mapsEverybody, layer: durableLayerAt(parts.layers, sessionId) })
    open.set(sessionId, opened)
    return opened
  }
  const isThere = (sessionId: SessionId): Promise<boolean> => isMade(durableLayerAt(parts.layers, sessionId))
  const remove = async (sessionId: SessionId): Promise<void> => {
    await open.get(sessionId)?.close()
    open.delete(sessionId)
    await removeDurableLayer(parts, sessionId)
  }
  const make = async (sessionId: SessionId): Promise<void> => {
    await remove(sessionId)
    await finish(await makeDurableLayer(parts, sessionId, await realpath(parts.folder)))
  }
  const fork: OverlayLayers['fork'] = async (from, to) => {
    await remove(to)
    const made = await makeDurableLayer(parts, to, await realpath(parts.folder))
    try {
      await layerOf(from).forkTo(made)
      await finish(made)
    } catch (error) {
      await removeDurableLayer(parts, to)
      throw error
    }
  }
  return {
    missing: parts.missing,
    make,
    async makeIfMissing(sessionId, from) {
      if (await isThere(sessionId)) return
      if (from !== undefined && (await isThere(from))) await fork(from, sessionId)
      else await make(sessionId)
    },
    async moved(sessionId) {
      const folder = await realpath(parts.folder)
      return { version: 1, folder, files: (await isThere(sessionId)) ? await layerOf(sessionId).moved() : [] }
    },
    async settle(sessionId, paths) {
      const folder = await realpath(parts.folder)
      const bases = await mapAtOnce(paths, AT_ONCE, async (path) => ({ path, base: await storedFile(join(folder, path), parts.put) }))
      await layerOf(sessionId).rebase(bases)
    },
    async entriesIn(sessionId, paths) {
      const { device } = await standingEntries(parts.folder, [])
      return { entries: await layerOf(sessionId).entries(paths), device }
    },
    async changes(sessionId) {
      const folder = await realpath(parts.folder)
      return { version: 1, folder, files: (await isThere(sessionId)) ? await layerOf(sessionId).changes() : [] }
    },
    entriesOf: (paths) => standingEntries(parts.folder, paths),
    remove,
    start: (sessionId, argv, start) => layerOf(sessionId).start(argv, start),
    mark: (sessionId) => layerOf(sessionId).mark(),
    refresh: (sessionId) => layerOf(sessionId).refresh(),
    rebase: (sessionId, bases) => layerOf(sessionId).rebase(bases),
    write: (sessionId, files) => layerOf(sessionId).write(files),
    fork,
    async close() {
      for (const one of open.values()) await one.close()
    },
  }
}

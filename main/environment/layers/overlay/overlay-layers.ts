import { realpath, writeFile } from 'node:fs/promises'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { once } from '../../../../shared/lib/once.ts'
import type { LayerChanges, Layers } from '../../../agent/ports/layers.ts'
import { mayMapEverybody } from '../../copy/start/namespaces.ts'
import { standingEntries } from '../standing-entries.ts'
import {
  type DurableLayer,
  durableLayerAt,
  finish,
  isMade,
  isUntouched,
  type LayerPlaces,
  makeDurableLayer,
  overOf,
  removeDurableLayer,
  uppersOf,
} from './durable-layer.ts'
import { type OpenLayer, openLayer, type OpenLayerParts, type Standing } from './open-layer.ts'
import type { RunningInLayer } from './running-in-layer.ts'
import type { LayerStart } from './start-in-layer.ts'
import type { LayerState } from './layer-state.ts'
import type { InsideFile } from './write-inside.ts'

export interface OverlayLayerParts extends LayerPlaces, Pick<OpenLayerParts, 'hidden' | 'put'> {
  /** The folder that the layers are views of. */
  readonly folder: string
  /** Why layers are impossible on this machine. Null if they are possible. */
  missing(): Promise<string | null>
}

/** Layers that are Linux overlays. Only what differs from the folder lies on the disk. */
export interface OverlayLayers extends Omit<Layers, 'open'> {
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
  /** Makes a folder renamable for programs in the layer. All of it must already be in the upper folder (`COPY_UP`). */
  makeWhole(sessionId: SessionId, path: string): Promise<void>
  /** Writes or deletes files of the layer, in such a way that programs inside see it. */
  write(sessionId: SessionId, files: readonly InsideFile[], standing?: Standing): Promise<void>
  /**
   * Makes the layer of session `to`, which begins with what is in the layer of `from`. Neither sees what the other does after that.
   */
  fork(from: SessionId, to: SessionId): Promise<void>
  /** The layers over the layer of a session. Their changes are those against that layer. */
  over(sessionId: SessionId): OverlayLayers
  /** The layer's upper folders, uppermost first, which contain what differs from the folder. They may change at any time. Only read them. */
  uppers(sessionId: SessionId): Promise<readonly string[]>
  /** Whether the layer contains exactly what is below it. */
  isUntouched(sessionId: SessionId): Promise<boolean>
  /** What the layer contains now, as far as it differs from the folder. */
  state(sessionId: SessionId): Promise<LayerState>
}

export function createOverlayLayers(parts: OverlayLayerParts): OverlayLayers {
  const open = new Map<SessionId, OpenLayer>()
  const mapsEverybody = once(() => mayMapEverybody())
  const layerOf = (sessionId: SessionId): OpenLayer => {
    const known = open.get(sessionId)
    if (known) return known
    const layer = durableLayerAt(parts.layers, sessionId)
    const over = async (): Promise<OpenLayer | null> => {
      const below = await overOf(layer)
      return below && (await isThere(below)) ? layerOf(below) : null
    }
    const opened = openLayer({ ...parts, mapsEverybody, layer, over })
    open.set(sessionId, opened)
    return opened
  }
  const isThere = (sessionId: SessionId): Promise<boolean> => isMade(durableLayerAt(parts.layers, sessionId))
  const changesIn = async (
    sessionId: SessionId,
    found: (layer: OpenLayer) => Promise<Pick<LayerChanges, 'files' | 'leftOut'>>,
  ): Promise<LayerChanges> => {
    const folder = await realpath(parts.folder)
    return { version: 1, folder, ...((await isThere(sessionId)) ? await found(layerOf(sessionId)) : { files: [] }) }
  }
  const remove = async (sessionId: SessionId): Promise<void> => {
    await open.get(sessionId)?.close()
    open.delete(sessionId)
    await removeDurableLayer(parts, sessionId)
  }
  const makeFrom = async (sessionId: SessionId, fill: (made: DurableLayer) => Promise<void>): Promise<void> => {
    await remove(sessionId)
    const made = await makeDurableLayer(parts, sessionId, await realpath(parts.folder))
    try {
      await fill(made)
      await finish(made)
    } catch (error) {
      await removeDurableLayer(parts, sessionId)
      throw error
    }
  }
  const make = (sessionId: SessionId): Promise<void> => makeFrom(sessionId, () => Promise.resolve())
  const fork: OverlayLayers['fork'] = (from, to) => makeFrom(to, (made) => layerOf(from).forkTo(made, false))
  const all: OverlayLayers = {
    missing: parts.missing,
    whyClones: () => Promise.resolve(null),
    whyUnconfined: () => Promise.resolve(null),
    make,
    async makeIfMissing(sessionId, from) {
      if (await isThere(sessionId)) return
      if (from !== undefined && (await isThere(from))) await fork(from, sessionId)
      else await make(sessionId)
    },
    changes: (sessionId) => changesIn(sessionId, (layer) => layer.changes()),
    moved: (sessionId) => changesIn(sessionId, async (layer) => ({ files: await layer.moved() })),
    entriesOf: (paths) => standingEntries(parts.folder, paths),
    async entriesIn(sessionId, paths) {
      const { device } = await standingEntries(parts.folder, [])
      return { entries: await layerOf(sessionId).entries(paths), device }
    },
    remove,
    start: (sessionId, argv, start) => layerOf(sessionId).start(argv, start),
    mark: (sessionId) => layerOf(sessionId).mark(),
    refresh: (sessionId) => layerOf(sessionId).refresh(),
    makeWhole: (sessionId, path) => layerOf(sessionId).makeWhole(path),
    async rebase(sessionId, bases) {
      if (await isThere(sessionId)) await layerOf(sessionId).rebase(bases)
    },
    write: (sessionId, files, standing) => layerOf(sessionId).write(files, standing),
    uppers: (sessionId) => uppersOf(durableLayerAt(parts.layers, sessionId)),
    isUntouched: (sessionId) => isUntouched(durableLayerAt(parts.layers, sessionId)),
    state: (sessionId) => layerOf(sessionId).state(),
    fork,
    over(below) {
      const makeOver = (sessionId: SessionId): Promise<void> =>
        makeFrom(sessionId, async (made) => {
          await writeFile(made.over, below, { mode: 0o600 })
          await layerOf(below).forkTo(made, true)
        })
      return {
        ...all,
        make: makeOver,
        makeIfMissing: async (sessionId) => ((await isThere(sessionId)) ? undefined : makeOver(sessionId)),
        entriesOf: (paths) => all.entriesIn(below, paths),
      }
    },
    async close() {
      for (const one of open.values()) await one.close()
    },
  }
  return all
}

import { join } from 'node:path'
import type { Layers } from '../agent/ports/layers.ts'
import type { LayerPlaces } from '../environment/layers/overlay/durable-layer.ts'
import type { SessionLayersParts } from '../host-process/in-layer/session-layers.ts'
import { LAYERS_FOLDER } from '../store/file-names.ts'
import type { LayerWork } from '../workspace/place.ts'

/** The layer of each session is below the first folder. */
export const layerPlacesIn = (dataFolder: string): LayerPlaces => ({
  layers: join(dataFolder, LAYERS_FOLDER),
  frozen: join(dataFolder, 'frozen-layers'),
})

/** The folder for the layers of deleted sessions. */
export const layerBinIn = (dataFolder: string): string => join(dataFolder, 'layer-bin')

/** The layers of all folders. The code is loaded when the first layer is needed. */
export function createFolderLayers(parts: SessionLayersParts): LayerWork {
  const open = new Map<string, Promise<Layers>>()
  const load = (folder: string): Promise<Layers> => {
    const known =
      open.get(folder) ??
      import('../host-process/in-layer/session-layers.ts').then(({ createSessionLayers }) => createSessionLayers(folder, parts))
    open.set(folder, known)
    return known
  }
  return {
    layersOf(folder) {
      return {
        missing: async () => (await load(folder)).missing(),
        whyClones: async () => (await load(folder)).whyClones(),
        make: async (sessionId, signal) => (await load(folder)).make(sessionId, signal),
        makeIfMissing: async (sessionId, from) => (await load(folder)).makeIfMissing(sessionId, from),
        open: async (sessionId) => (await load(folder)).open(sessionId),
        changes: async (sessionId) => (await load(folder)).changes(sessionId),
        moved: async (sessionId) => (await load(folder)).moved(sessionId),
        rebase: async (sessionId, bases) => (await load(folder)).rebase(sessionId, bases),
        entriesOf: async (paths) => (await load(folder)).entriesOf(paths),
        entriesIn: async (sessionId, paths) => (await load(folder)).entriesIn(sessionId, paths),
        remove: async (sessionId) => (await load(folder)).remove(sessionId),
        close: async () => (await open.get(folder))?.close(),
      }
    },
    async close() {
      for (const layers of open.values()) await (await layers).close()
    },
  }
}

import { join } from 'node:path'
import { deferredCalls } from '../../../shared/lib/deferred-calls.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import type { LayerPlaces } from '../../environment/layers/overlay/durable-layer.ts'
import { LAYERS_FOLDER } from '../../store/file-names.ts'
import type { LayerWork } from '../../workspace/place.ts'
import type { SessionLayersParts } from '../in-layer/session-layers.ts'

/** Where the layers of sessions are, and the frozen folders below them. */
export const layerPlacesIn = (dataFolder: string): LayerPlaces => ({
  layers: join(dataFolder, LAYERS_FOLDER),
  frozen: join(dataFolder, 'frozen-layers'),
})

/** The folder for the layers of deleted sessions. */
export const layerBinIn = (dataFolder: string): string => join(dataFolder, 'layer-bin')

/** The methods of `Layers` for `deferredCalls`. */
export const LAYER_CALLS = [
  'missing',
  'whyClones',
  'whyUnconfined',
  'make',
  'makeIfMissing',
  'open',
  'changes',
  'moved',
  'rebase',
  'entriesOf',
  'entriesIn',
  'remove',
] as const

/** The layers of all folders. The code is loaded when the first layer is needed. */
export function createFolderLayers(parts: SessionLayersParts): LayerWork {
  const open = new Map<string, Promise<Layers>>()
  const load = (folder: string): Promise<Layers> => {
    const known =
      open.get(folder) ?? import('../in-layer/session-layers.ts').then(({ createSessionLayers }) => createSessionLayers(folder, parts))
    open.set(folder, known)
    return known
  }
  return {
    layersOf: (folder) => ({
      ...deferredCalls<Layers, (typeof LAYER_CALLS)[number]>(LAYER_CALLS, async (work) => work(await load(folder))),
      close: async () => (await open.get(folder))?.close(),
    }),
    async close() {
      for (const layers of open.values()) await (await layers).close()
    },
  }
}

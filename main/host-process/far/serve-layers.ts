import { BlobHash } from '../../../shared/lib/ids.ts'
import type { LAYER_METHODS } from '../wire/layer-methods.ts'
import { done, existing, type ServedMethods, type ServedSite, split } from './served-call.ts'

export function layersOf(site: ServedSite): Pick<ServedMethods, keyof typeof LAYER_METHODS> {
  const { inside, objects, contents } = site
  const layers = () => existing(site.layers)
  return {
    // On another machine, there are layers only if they are confined.
    missingLayers: async () => (await layers().missing()) ?? layers().whyUnconfined(),
    whyClones: () => layers().whyClones(),
    makeLayer: ({ sessionId }, { signal }) => done(layers().make(sessionId, signal)),
    makeLayerIfMissing: ({ sessionId, from }) => done(layers().makeIfMissing(sessionId, from)),
    async openLayer({ sessionId, denied }, { id }) {
      site.deny(sessionId, denied)
      const opened = await layers().open(sessionId)
      site.serve(id, sessionId, { ...opened, comparison: opened.inside?.comparison ?? site.comparison })
      return { runsInside: opened.inside !== null }
    },
    layerChanges: ({ sessionId }) => layers().changes(sessionId),
    movedInLayer: ({ sessionId }) => layers().moved(sessionId),
    async layerContents({ hashes }, { content }) {
      for (const hash of hashes) await content(await existing(contents).getInSlices(BlobHash.parse(hash)))
      return null
    },
    async rebaseLayer({ sessionId, bases, contents: lengths }, { bytes }) {
      for (const content of split(bytes, lengths)) await existing(contents).putInSlices(content)
      await layers().rebase(sessionId, bases)
      return null
    },
    entriesOf: ({ paths }) => layers().entriesOf(paths),
    entriesIn: ({ sessionId, paths }) => layers().entriesIn(sessionId, paths),
    removeLayer: ({ sessionId }) => done(layers().remove(sessionId)),
    closeLayers: () => done(layers().close()),
    async beginInside({ keepsRunning }, { id, onHost }) {
      objects.begun.set(id, await existing(inside).begin(onHost, { keepsRunning }))
      return { ended: [...existing(inside).takeEnded()] }
    },
    whyFailed: (failed) => existing(inside).whyFailed(failed),
    forwardPort: ({ port }) => done(existing(inside).forward(port)),
  }
}

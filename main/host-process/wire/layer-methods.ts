import { z } from 'zod'
import { SessionId } from '../../../shared/lib/ids.ts'
import { contents } from './copy-methods.ts'
import { blockedHost } from './copy-schemas.ts'
import { nothing } from './environment-methods.ts'
import { layerBases, layerChanges, layerEntries } from './layer-schemas.ts'
import { relativePath } from './schemas.ts'

const sessionId = SessionId
const paths = z.array(relativePath)

/** The calls of `Layers` and of `CommandsInLayer`. */
export const LAYER_METHODS = {
  missingLayers: { args: z.object({}), value: z.string().nullable() },
  whyClones: { args: z.object({}), value: z.string().nullable() },
  makeLayer: { args: z.object({ sessionId }), value: nothing },
  makeLayerIfMissing: { args: z.object({ sessionId, from: SessionId.exactOptional() }), value: nothing },
  /** Later calls go to the layer if their `on` is the id of this call. `denied`: patterns of the files that its programs may not read. */
  openLayer: { args: z.object({ sessionId, denied: z.array(z.string()) }), value: z.object({ runsInside: z.boolean() }) },
  layerChanges: { args: z.object({ sessionId }), value: layerChanges },
  movedInLayer: { args: z.object({ sessionId }), value: layerChanges },
  /** The answer has stored contents. Rejects with `ENOENT` if one is missing. */
  layerContents: { args: z.object({ hashes: z.array(z.string()) }), value: nothing },
  /** The contents of the bases that are files come with the call. */
  rebaseLayer: { args: z.object({ sessionId, bases: layerBases, contents }), value: nothing },
  entriesOf: { args: z.object({ paths }), value: layerEntries },
  entriesIn: { args: z.object({ sessionId, paths }), value: layerEntries },
  removeLayer: { args: z.object({ sessionId }), value: nothing },
  /** Closes the layers of this folder, and ends the programs in them. */
  closeLayers: { args: z.object({}), value: nothing },
  /** The decisions about hosts end with the message `decided`. `ended`: see `CommandsInLayer.takeEnded`. */
  beginInside: { args: z.object({ keepsRunning: z.boolean() }), value: z.object({ ended: z.array(z.string()) }) },
  whyFailed: {
    args: z.object({ exitCode: z.number().nullable(), text: z.string(), cwd: z.string(), blocked: z.array(blockedHost) }),
    value: z.object({ why: z.string().nullable(), port: z.number().nullable() }),
  },
  forwardPort: { args: z.object({ port: z.int().min(1).max(65_535) }), value: nothing },
} as const

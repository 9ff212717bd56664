import type { SessionId } from '../../../shared/lib/ids.ts'
import { ok } from '../../../shared/lib/result.ts'
import type { AppHandlerParts } from '../../api/app.ts'
import { inPlace, type SessionPlaces } from '../../api/session-places.ts'
import { shownFile } from '../../environment/layers/shown-file.ts'
import { layerPlacesIn } from '../folder-layers.ts'

/** `layerOf`: the session that owns the layer in which a session works. Null if it works in the folder. */
export const fileInLayer =
  (dataFolder: string, layerOf: (sessionId: SessionId) => SessionId | null, places: SessionPlaces): AppHandlerParts['fileInLayer'] =>
  async (session, path) => {
    const sessionId = layerOf(session)
    if (sessionId === null) return null
    const found = await inPlace(places, session, async ({ folder, environment }) =>
      ok(await shownFile({ layers: layerPlacesIn(dataFolder).layers, sessionId, folder, path, environment })),
    )
    return found.ok ? found.value : null
  }

import { resolve } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok } from '../../../shared/lib/result.ts'
import { parseAddress } from '../../../shared/places/address.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { AppHandlerParts } from '../../api/app.ts'
import { inPlace, type SessionPlaces } from '../../api/session-places.ts'
import { EnvironmentFailure, explained } from '../../environment/environment-failure.ts'
import { shownFile } from '../../environment/layers/shown-file.ts'
import { layerPlacesIn } from '../../host-process/here/folder-layers.ts'
import { isInside } from '../../is-inside.ts'

/** `layerOf`: the session that owns the layer in which a session works. Null if it works in the folder. */
export const fileInLayer =
  (dataFolder: string, layerOf: (sessionId: SessionId) => SessionId | null, places: SessionPlaces): AppHandlerParts['fileInLayer'] =>
  async (session, path) => {
    const sessionId = layerOf(session)
    if (sessionId === null) return ok(null)
    if (parseAddress(path).place !== null) return failed(IN_FAR_LAYER)
    return inPlace(places, session, async ({ folder, environment }) => {
      try {
        return ok(await shownFile({ layers: layerPlacesIn(dataFolder).layers, sessionId, folder, path, environment }))
      } catch (error) {
        const failure = explained(error, 'show', path)
        if (!(failure instanceof EnvironmentFailure)) throw error
        return failed(unreadable(path, failure))
      }
    })
  }

/** Which of these paths are files in the session's layer. Null if the session works in the folder. */
export const filesInLayer =
  (layerOf: (sessionId: SessionId) => SessionId | null, places: SessionPlaces): AppHandlerParts['filesInLayer'] =>
  async (session, paths) => {
    if (layerOf(session) === null) return null
    const found = await inPlace(places, session, async ({ folder, environment }) => {
      const stats = await Promise.all(paths.map((path) => environment.stat(resolve(folder, path)).catch(() => null)))
      return ok(paths.filter((path, at) => stats[at]?.kind === 'file' && isInside(folder, resolve(folder, path))))
    })
    return found.ok ? found.value : []
  }

const IN_FAR_LAYER: Trouble = {
  code: 'layer_unreadable',
  what: 'The session’s version of the file is in a layer on another machine, so no editor on this computer can open it.',
  kept: 'Everything is unchanged.',
  todo: 'Look at it in Files.',
}

function unreadable(path: string, { message }: EnvironmentFailure): Trouble {
  return {
    code: 'layer_unreadable',
    what: `The session’s version of ${path} could not be shown. ${message}`,
    kept: 'Everything is unchanged.',
    todo: 'Look at the file in the session’s changes, or try again.',
  }
}

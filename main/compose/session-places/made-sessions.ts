import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import { parseAddress } from '../../../shared/places/address.ts'
import { isIdle } from '../../../shared/session/fold/run-state.ts'
import type { NewSession } from '../../../shared/session/settings/new-session.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import { type CloneWork, cloneWork } from '../../places/clone/clone-work.ts'
import { type MadePlaces, sessionIdOf } from '../../places/made/made-places.ts'
import type { MadePlace } from '../../places/made/made-place.ts'
import type { Places } from '../../places/places.ts'
import type { Store } from '../../store/store.ts'
import type { LayerWork } from '../../workspace/place.ts'

interface MadeParts {
  readonly places: Pick<Places, 'made'>
  readonly store: Store
}

async function recordAt({ places }: Pick<MadeParts, 'places'>, address: string): Promise<{ made: MadePlaces; record: MadePlace } | null> {
  const { place } = parseAddress(address)
  if (place === null || place.kind === 'ssh') return null
  const made = await places.made()
  const record = made.recordOf(place)
  return record && { made, record }
}

/** What a new session is in a place that was made for it: the first session has the id of the place. */
export const sessionAt =
  (parts: MadeParts) =>
  async (address: string): Promise<Pick<NewSession, 'where' | 'sessionId'>> => {
    const found = await recordAt(parts, address)
    if (found === null) return {}
    const { made, record } = found
    const sessionId = sessionIdOf(record.name)
    return {
      ...(parts.store.sessions.get(sessionId) === null && { sessionId }),
      ...(made.keptOf(record) !== null && { where: { kind: 'clone', of: record.folder } as const }),
    }
  }

/** The layers of a folder, together with the work of sessions in its clones, which is brought in like that of a layer. */
export function withClones(work: LayerWork, parts: MadeParts): LayerWork {
  const cloneOf = async (sessionId: SessionId): Promise<CloneWork | null> => {
    const session = parts.store.sessions.get(sessionId)
    const found = session?.config.where?.kind === 'clone' ? await recordAt(parts, session.folder) : null
    const kept = found && found.made.keptOf(found.record)
    if (found === null || kept === null) return null
    const { made, record } = found
    return cloneWork({ folder: record.folder, kept, blobs: parts.store.blobs, fetch: () => made.fetch(record) })
  }
  return {
    ...work,
    layersOf(folder) {
      const layers = work.layersOf(folder)
      const of = async (sessionId: SessionId): Promise<Pick<Layers, keyof CloneWork>> => (await cloneOf(sessionId)) ?? layers
      return {
        ...layers,
        changes: async (sessionId) => (await of(sessionId)).changes(sessionId),
        rebase: async (sessionId, bases) => (await of(sessionId)).rebase(sessionId, bases),
        entriesIn: async (sessionId, paths) => (await of(sessionId)).entriesIn(sessionId, paths),
      }
    },
  }
}

/**
 * Fetches the work of clones after each turn, so that a lost pod loses nothing that was finished, and ends the places of deleted sessions.
 * `onFailure`: told why something was not done; the next turn tries again.
 */
export function followMadeSessions(parts: MadeParts, onFailure: (error: unknown) => void): Disposable {
  const running = new Set<SessionId>()
  const fetch = async (address: string): Promise<void> => {
    const found = await recordAt(parts, address)
    if (found) await found.made.fetch(found.record)
  }
  const end = async (sessionIds: readonly SessionId[]): Promise<void> => {
    const made = await parts.places.made()
    const gone = made.records().filter(({ name }) => sessionIds.includes(sessionIdOf(name)))
    await Promise.all(gone.map(({ name }) => made.stop(name, true)))
  }
  const following = parts.store.subscribeAll(({ sessionId, folder, run, config }) => {
    if (config.where?.kind !== 'clone') return
    if (!isIdle({ run })) running.add(sessionId)
    else if (running.delete(sessionId)) fetch(folder).catch(onFailure)
  })
  const removing = parts.store.onRemoved((sessionIds) => {
    end(sessionIds).catch(onFailure)
  })
  return {
    dispose() {
      following.dispose()
      removing.dispose()
    },
  }
}

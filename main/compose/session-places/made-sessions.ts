import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import { parseAddress } from '../../../shared/places/address.ts'
import { isIdle } from '../../../shared/session/fold/run-state.ts'
import type { NewSession } from '../../../shared/session/settings/new-session.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import type { CloneWork } from '../../places/clone/clone-work.ts'
import { sessionIdOf } from '../../../shared/places/new-place.ts'
import type { MadePlaces } from '../../places/made/made-places.ts'
import type { MadePlace } from '../../places/made/made-place.ts'
import type { Places } from '../../places/places.ts'
import type { Store } from '../../store/store.ts'
import { keyOf } from './running-places.ts'
import type { LayerWork } from '../../workspace/place.ts'

export interface MadeParts {
  readonly places: Pick<Places, 'made'>
  readonly store: Store
}

export async function recordAt(
  { places }: Pick<MadeParts, 'places'>,
  address: string,
): Promise<{ made: MadePlaces; record: MadePlace } | null> {
  const { place } = parseAddress(address)
  if (place === null || place.kind === 'ssh') return null
  const made = await places.made()
  const record = made.recordOf(place)
  return record && { made, record }
}

/** The settings of a new session at an address. The first session in a made place gets the id from which the place was named. */
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

/** The layers of folders, and the work of sessions in clones, which is brought in like the work of a layer. */
export function withClones(work: LayerWork, parts: MadeParts): LayerWork {
  const cloneOf = async (sessionId: SessionId): Promise<CloneWork | null> => {
    const session = parts.store.sessions.get(sessionId)
    const found = session?.config.where?.kind === 'clone' ? await recordAt(parts, session.folder) : null
    const kept = found && found.made.keptOf(found.record)
    if (found === null || kept === null) return null
    const { made, record } = found
    const { cloneWork } = await import('../../places/clone/clone-work.ts')
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
 * Fetches the work of clones after each turn, so that no finished turn is lost with a pod, and ends the places of deleted sessions.
 * Failures are ignored: the next turn fetches again, and a place that could not be ended stays in the list of places.
 */
export function followMadeSessions(parts: MadeParts): Disposable {
  const running = new Set<SessionId>()
  const fetch = async (address: string): Promise<void> => {
    const found = await recordAt(parts, address)
    if (found) await found.made.fetch(found.record)
  }
  const end = async (sessionIds: readonly SessionId[]): Promise<void> => {
    const made = await parts.places.made()
    const gone = made.records().filter(({ name }) => sessionIds.includes(sessionIdOf(name)))
    if (gone.length === 0) return
    const used = new Set(parts.store.sessions.list().map(({ folder }) => keyOf(folder)))
    // A later session may work in the place of a deleted one.
    const unused = gone.filter(({ address }) => !used.has(keyOf(address)))
    await Promise.all(unused.map(({ name }) => made.stop(name, true)))
  }
  const following = parts.store.subscribeAll(({ sessionId, folder, run, config }) => {
    if (config.where?.kind !== 'clone') return
    if (!isIdle({ run })) running.add(sessionId)
    else if (running.delete(sessionId)) fetch(folder).catch(() => {})
  })
  const removing = parts.store.onRemoved((sessionIds) => {
    end(sessionIds).catch(() => {})
  })
  return {
    dispose() {
      following.dispose()
      removing.dispose()
    },
  }
}

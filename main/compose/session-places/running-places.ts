import { parseAddress, type Place, placeKey } from '../../../shared/places/address.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { RunningPlace } from '../../../shared/places/running-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { sessionIdOf } from '../../../shared/places/new-place.ts'
import type { PlacesHandlerParts } from '../../api/folder/places.ts'
import type { Places } from '../../places/places.ts'
import type { FolderTrust } from '../../workspace/folder-trust.ts'
import type { Store } from '../../store/store.ts'

interface Parts {
  readonly places: Places
  readonly store: Pick<Store, 'sessions'>
}

/** Everything that Countersign has on other machines: containers and pods made for sessions, and its code on machines with sessions. */
export async function runningPlaces({ places, store }: Parts): Promise<readonly RunningPlace[]> {
  const made = await places.made()
  const own = (await made.list()).map(({ made: { name, address, from, folder, createdAt }, state }): RunningPlace => {
    const title = store.sessions.get(sessionIdOf(name))?.title ?? null
    return { kind: 'made', place: keyOf(address), from, folder, since: createdAt, title, why: state.kind === 'running' ? null : state.why }
  })
  const known = new Set(own.map(({ place }) => place))
  const machines = new Map<string, Place>()
  for (const { folder } of store.sessions.list()) {
    const { place } = parseAddress(folder)
    if (place !== null && !known.has(placeKey(place))) machines.set(placeKey(place), place)
  }
  const guests = await Promise.all(
    [...machines.values()].map(async (place): Promise<readonly RunningPlace[]> => {
      const guest = await places.guestAt(place)
      // A container or pod that does not answer was removed, and our files with it.
      if (guest === null && place.kind !== 'ssh') return []
      const since = guest?.servingSince[0] ?? null
      return [{ kind: 'guest', place: placeKey(place), isReached: guest !== null, since, bytes: guest?.bytes ?? 0 }]
    }),
  )
  return [...own, ...guests.flat()]
}

/**
 * Ends Countersign's processes at a place. A container or pod that was made for a session is removed; the session makes it again when it
 * continues. `uninstalls`: also removes everything that is kept for the container or pod, or our installed files on a machine.
 */
export async function stopPlace({ places }: Parts, place: Place, uninstalls: boolean): Promise<Result<null, Trouble>> {
  const made = await places.made()
  const record = made.recordOf(place)
  try {
    if (record === null) {
      await places.endGuest(place, uninstalls)
      return ok(null)
    }
    // Keeps the changes in its clone, if the place still answers.
    if (!uninstalls) await made.fetch(record)
    return await made.stop(record.name, uninstalls)
  } catch (error) {
    if (!(error instanceof EnvironmentFailure)) throw error
    return failed(notStopped(placeKey(place), error.message))
  }
}

/** What the desk can do with places. A place is made only for a trusted folder, so the folder's clone is trusted too. */
export function deskPlaces({ places, store, trust }: Parts & { readonly trust: FolderTrust }): Omit<PlacesHandlerParts, 'makeBranch'> {
  return {
    places,
    async plan(typed, folder) {
      if (!(await trust.isTrusted(folder))) return failed(notTrusted(folder))
      const planned = await (await places.made()).plan(typed, folder)
      return planned.ok ? ok(planned.value.address) : planned
    },
    trust: (address) => trust.decide(address, true, null),
    running: () => runningPlaces({ places, store }),
    stop: (place, uninstalls) => stopPlace({ places, store }, place, uninstalls),
  }
}

const notTrusted = (folder: string): Trouble => ({
  code: 'not_trusted',
  what: `${folder} is not trusted, so no container or pod is made for it.`,
  kept: 'Nothing was made.',
  todo: 'Open the folder and trust it, then try again.',
})

/** The key of an address's place. The address itself if it is on this computer. */
export function keyOf(address: string): string {
  const { place } = parseAddress(address)
  return place === null ? address : placeKey(place)
}

const notStopped = (place: string, why: string): Trouble => ({
  code: 'place_not_stopped',
  what: `${place} was not ended. ${why}`,
  kept: 'Everything at the place is still running.',
  todo: 'Connect to it, then try again. To discard the changes that were not fetched: places stop --uninstall',
})

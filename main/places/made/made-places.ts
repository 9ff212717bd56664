import { addressOf, parseAddress, type Place, placeKey, placeName } from '../../../shared/places/address.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { newId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { nameFrom, type NewPlace, newPlaceText, parseNewPlace } from '../../../shared/places/new-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { devContainers } from '../containers/dev-container.ts'
import { imageContainers } from '../containers/image-container.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { fetchWork } from '../clone/fetch-work.ts'
import { sourceIn } from '../clone/send-clone.ts'
import { takeSnapshot } from '../clone/take-snapshot.ts'
import { cloneOf, pods } from '../kubernetes/pods.ts'
import { LEASE_S } from './keep-alive.ts'
import { madeRecordsIn, type MadePlace } from './made-place.ts'
import type { Ensured, MakeOptions, Maker, PlaceState } from './maker.ts'

export interface MadePlacesParts {
  /** The folder for the records. Null if no places are made. */
  readonly folder: string | null
  /** A place ends by itself if its lease was not renewed for this long, in s. */
  readonly leaseS?: number
  /** The current time in ms since 1970. */
  now(): number
}

/** Containers and pods that Countersign makes for its sessions. */
export interface MadePlaces {
  /**
   * Chooses everything about a new place and records it. `typed`: the text of a `NewPlace`. `folder`: the real path of a folder on this
   * computer. Does not make the place yet: `ensure` does.
   */
  plan(typed: string, folder: string): Promise<Result<MadePlace, Trouble>>
  /** The record of a place. Null if Countersign has not made it. */
  recordOf(place: Place): MadePlace | null
  /** Makes a recorded place again if it does not run. Does nothing for other places. */
  ensure(place: Place, options: MakeOptions): Promise<Result<Ensured, Trouble>>
  /**
   * Fetches the changes in the clone of a place, so that they can be brought in, and are kept if the place is lost. Does nothing if the
   * place is gone or has no clone. Rejects with a coded failure.
   */
  fetch(made: MadePlace): Promise<void>
  /** Our folder for the clone of a place. Null if the place works in the real folder. */
  keptOf(made: MadePlace): string | null
  /** Rejects with `EGONE` if a made place is gone. The message says why. */
  check(place: Place): Promise<void>
  /** Renews the lease of a place from now on, so that the place does not end by itself while this process runs. */
  keep(place: Place): void
  records(): readonly MadePlace[]
  /** All recorded places with their states. */
  list(): Promise<readonly { readonly made: MadePlace; readonly state: PlaceState }[]>
  /** Ends and removes a place. `forgets`: also removes its record, so that it cannot be made again. */
  stop(name: string, forgets: boolean): Promise<Result<null, Trouble>>
  /** Stops renewing leases. */
  close(): void
}

export function createMadePlaces({ folder: recordFolder, leaseS = LEASE_S, now }: MadePlacesParts): MadePlaces {
  const records = madeRecordsIn(recordFolder)
  const image = imageContainers(leaseS)
  const devContainer = devContainers(leaseS)
  const pod = pods({ leaseS, now, keptOf: records.folderOf })
  /** Calls `use` with the maker for the kind of `from`. */
  const withMaker = async <T>(from: NewPlace, use: <P extends NewPlace>(maker: Maker<P>, one: P) => Promise<T>): Promise<T> => {
    switch (from.kind) {
      case 'image':
        return use(image, from)
      case 'pod':
        return use(pod, from)
      case 'devcontainer':
        return use(devContainer, from)
      default:
        return assertNever(from)
    }
  }
  const fromOf = ({ from, name }: MadePlace): NewPlace => {
    const parsed = parseNewPlace(from)
    if (!parsed?.ok) throw new Error(`The record of ${name} names no place: ${from}`)
    return parsed.value
  }
  const recordOf = (place: Place): MadePlace | null => {
    const made = place.kind === 'ssh' ? null : records.get(place.name)
    const known = made === null ? null : parseAddress(made.address).place
    return known !== null && placeKey(known) === placeKey(place) ? made : null
  }
  const stateOf = (made: MadePlace): Promise<PlaceState> => withMaker(fromOf(made), (maker, from) => maker.state(made, from))
  const fetchNow = async (made: MadePlace): Promise<void> => {
    if (fromOf(made).kind !== 'pod' || (await stateOf(made)).kind !== 'running') return
    const kept = records.folderOf(made.name)
    await fetchWork(sourceIn(await cloneOf(made, kept)), kept, (await takeSnapshot(made.folder, kept)).base)
  }
  /** The last fetch of each place. */
  const fetching = new Map<string, Promise<void>>()
  const ensuring = new Map<string, Promise<Result<Ensured, Trouble>>>()
  const kept = new Map<string, MadePlace>()
  // A failure is ignored: the place ends by itself if no later renewal succeeds.
  const renew = (): void => kept.forEach((made) => void withMaker(fromOf(made), (maker, from) => maker.renew(made, from)).catch(() => {}))
  const timer = setInterval(renew, (leaseS * 1000) / RENEWALS).unref()
  return {
    async plan(typed, folder) {
      if (recordFolder === null)
        return failed(notUnderstood(typed, 'New places cannot be made, because Countersign has no folder for their records.'))
      const parsed = parseNewPlace(typed)
      if (!parsed?.ok) return failed(notUnderstood(typed, parsed === null ? '' : parsed.failure))
      const name = nameFrom(newId('s'))
      const planned = await withMaker(parsed.value, (maker, from) => maker.plan({ from, name, folder }))
      if (!planned.ok) return planned
      const { from, place, inside } = planned.value
      const made = {
        version: 1,
        name: placeName(place),
        from: newPlaceText(from),
        folder,
        address: addressOf(place, inside),
        createdAt: now(),
      } as const
      records.put(made)
      return ok(made)
    },
    recordOf,
    async ensure(place, options) {
      const made = recordOf(place)
      if (made === null) return ok({ isNew: false })
      // Two calls at the same time must not make it twice.
      const begun = ensuring.get(made.name) ?? withMaker(fromOf(made), (maker, from) => maker.ensure(made, from, options))
      ensuring.set(made.name, begun)
      return begun.finally(() => ensuring.delete(made.name))
    },
    fetch(made) {
      // Two fetches at the same time would write the same ref.
      const begun = (fetching.get(made.name) ?? Promise.resolve()).catch(() => {}).then(() => fetchNow(made))
      fetching.set(made.name, begun)
      return begun
    },
    keptOf: (made) => (fromOf(made).kind === 'pod' ? records.folderOf(made.name) : null),
    async check(place) {
      const made = recordOf(place)
      const state = made === null ? null : await stateOf(made)
      if (state?.kind === 'gone') throw new EnvironmentFailure('EGONE', state.why)
    },
    keep(place) {
      const made = recordOf(place)
      if (made !== null) kept.set(made.name, made)
    },
    records: records.list,
    list: () => Promise.all(records.list().map(async (made) => ({ made, state: await stateOf(made) }))),
    async stop(name, forgets) {
      const made = records.get(name)
      if (made === null) return failed(noPlace(name))
      const removed = await withMaker(fromOf(made), (maker, from) => maker.remove(made, from, forgets))
      kept.delete(name)
      if (removed.ok && forgets) records.remove(name)
      return removed
    },
    close: () => clearInterval(timer),
  }
}

/** How many times a lease is renewed before it would end. */
const RENEWALS = 4

const notUnderstood = (typed: string, why: string): Trouble => ({
  code: 'no_such_place',
  what: why === '' ? `“${typed}” names no place.` : why,
  kept: 'Nothing was made.',
  todo: 'Type image:NAME, devcontainer: or k8s://CONTEXT/NAMESPACE?image=NAME (or ?pool=NAME).',
})

const noPlace = (name: string): Trouble => ({
  code: 'no_such_place',
  what: `Countersign has made no place with the name ${name}.`,
  kept: 'Everything is unchanged.',
  todo: 'List them with: places list',
})

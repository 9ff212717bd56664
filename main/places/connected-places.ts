import { type Place, placeKey, placeName } from '../../shared/places/address.ts'
import { failed, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { type Answer, openAsking } from './asking.ts'
import type { MadePlaces } from './made/made-places.ts'
import type { ConnectionOptions } from './programs.ts'
import { type MayInstall, type ReachedPlace, reachPlace } from './reach.ts'

/** Answers questions that come up while connecting to a place. */
export interface Asker {
  readonly answer: Answer
  readonly mayInstall: MayInstall
  /** Called while a place is being made, with a sentence that says what is being waited for. */
  readonly report?: (words: string) => void
  /** Aborting cancels the connection. */
  readonly signal: AbortSignal
}

interface ConnectedPlacesParts {
  readonly made: MadePlaces
  /** Whether our code may be installed if there is no `Asker`. */
  readonly mayInstall: MayInstall
  connectionOptions(): Promise<ConnectionOptions>
}

/** The places to which this process is connected. */
export interface ConnectedPlaces {
  /** Connects to a place, or returns the existing connection. If the place was made for a session and is gone, makes it again. */
  connect(place: Place, asker: Asker | undefined): Promise<Result<ReachedPlace, Trouble>>
  /** The same place. If it was made for a session and is gone, makes it again. Rejects with `ELOST`. */
  present(there: ReachedPlace): Promise<ReachedPlace>
  /** The connection to a place. Undefined if there is none and none is being made. */
  get(place: Place): Promise<Result<ReachedPlace, Trouble>> | undefined
  /** The next connection to the place may ask its questions again. */
  forget(place: Place): void
  /** The keys of all connected places. */
  keys(): readonly string[]
}

export function createConnectedPlaces({ made, mayInstall, connectionOptions }: ConnectedPlacesParts): ConnectedPlaces {
  const reached = new Map<string, Promise<Result<ReachedPlace, Trouble>>>()
  const connect = async (place: Place, asker: Asker | undefined): Promise<Result<ReachedPlace, Trouble>> => {
    const key = placeKey(place)
    // A failed attempt is repeated: it may have failed only because nobody answered its questions. One of the callers that waited repeats
    // it.
    for (let earlier = reached.get(key); earlier !== undefined; earlier = reached.get(key)) {
      const known = await earlier
      if (known.ok) return known
    }
    // Nothing is awaited before the attempt is registered, so two calls at the same time share it.
    const begun = made
      .ensure(place, { report: asker?.report ?? (() => {}), signal: asker?.signal })
      .then(async (there) => (there.ok ? connectAsking(place, await connectionOptions(), asker, mayInstallAt(place, asker)) : there))
      .catch((error: unknown) => failed(asker?.signal.aborted ? CANCELED : troubleOf(place, error)))
    reached.set(key, begun)
    const forget = (): void => {
      if (reached.get(key) === begun) reached.delete(key)
    }
    const found = await begun
    if (found.ok) made.keep(place)
    else forget()
    return found
  }
  // Countersign has made the place itself, so it does not ask whether its code may be installed there.
  const mayInstallAt = (place: Place, asker: Asker | undefined): MayInstall =>
    made.recordOf(place) === null ? (asker?.mayInstall ?? mayInstall) : () => Promise.resolve(true)
  const present = async (there: ReachedPlace): Promise<ReachedPlace> => {
    const { place } = there
    const ensured = await made.ensure(place, { report: () => {} })
    if (ensured.ok && !ensured.value.isNew) {
      // Another folder may be connecting to the place after it was made again.
      const known = await reached.get(placeKey(place))
      return known?.ok ? known.value : there
    }
    reached.delete(placeKey(place))
    const found = ensured.ok ? await connect(place, undefined) : ensured
    if (!found.ok) throw new EnvironmentFailure('ELOST', `${found.failure.what} (ELOST).`)
    return found.value
  }
  return {
    connect,
    present,
    get: (place) => reached.get(placeKey(place)),
    forget: (place) => void reached.delete(placeKey(place)),
    keys: () => [...reached.keys()],
  }
}

/** Connects. If there is an asker, it answers the questions of `ssh`. Later connections share this one, so they have no questions. */
async function connectAsking(
  place: Place,
  connection: ConnectionOptions,
  asker: Asker | undefined,
  mayInstall: MayInstall,
): Promise<Result<ReachedPlace, Trouble>> {
  if (!asker) return reachPlace(place, connection, mayInstall)
  const asking = await openAsking(asker.answer)
  try {
    const signal = asking ? AbortSignal.any([asker.signal, asking.refused]) : asker.signal
    return await reachPlace(place, { ...connection, asking: asking?.variables ?? null }, mayInstall, signal)
  } catch (error) {
    if (asker.signal.aborted || asking?.refused.aborted) return failed(NOT_ANSWERED)
    throw error
  } finally {
    await asking?.close()
  }
}

const CANCELED: Trouble = {
  code: 'place_given_up',
  what: 'The connection was canceled.',
  kept: 'Nothing was opened or changed.',
  todo: 'Connect again when you like.',
}

const NOT_ANSWERED: Trouble = {
  code: 'place_given_up',
  what: 'The connection was canceled because a question was not answered.',
  kept: 'Nothing was opened or changed.',
  todo: 'Connect again when you can answer.',
}

function troubleOf(place: Place, error: unknown): Trouble {
  if (!(error instanceof EnvironmentFailure)) throw error
  return {
    code: 'place_not_reached',
    what: `${placeName(place)} could not be prepared. ${error.message}`,
    kept: 'No folder was opened.',
    todo: 'Fix the cause, then try again.',
  }
}

import type { Place } from '../../../shared/places/address.ts'
import type { Result } from '../../../shared/lib/result.ts'
import type { NewPlace } from '../../../shared/places/new-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { MadePlace } from './made-place.ts'

/** A new place, before anything is made. */
interface PlannedPlace {
  /** The requested place, with values for everything that the user left open. */
  readonly from: NewPlace
  readonly place: Place
  /** The path of the folder or of its clone at the place. */
  readonly inside: string
}

interface PlaceToPlan<P extends NewPlace> {
  readonly from: P
  /** The name that the container or pod will have. */
  readonly name: string
  /** The real path of the folder on this computer. */
  readonly folder: string
}

export interface MakeOptions {
  /** Called with a sentence that says what is being waited for. */
  readonly report: (words: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Whether a place runs. `waiting`: it may run later. `why`: the reason, as a sentence. */
export type PlaceState =
  | { readonly kind: 'running' }
  | { readonly kind: 'waiting'; readonly why: string }
  | { readonly kind: 'gone'; readonly why: string }

/** `isNew`: this call made the place, so nothing of ours is installed in it yet. */
export interface Ensured {
  readonly isNew: boolean
}

/** Makes places of one kind with the user's own program. */
export interface Maker<P extends NewPlace> {
  /** Chooses everything that the user left open. Makes nothing. */
  plan(asked: PlaceToPlan<P>): Promise<Result<PlannedPlace, Trouble>>
  /** Makes the place, or takes over an existing one with its name. Does nothing if it runs. */
  ensure(made: MadePlace, from: P, options: MakeOptions): Promise<Result<Ensured, Trouble>>
  state(made: MadePlace, from: P): Promise<PlaceState>
  /** Renews its lease. */
  renew(made: MadePlace, from: P): Promise<unknown>
  /** Ends and removes the place. Does nothing if it is gone. `forgets`: also removes the files that would be kept for making it again. */
  remove(made: MadePlace, from: P, forgets: boolean): Promise<Result<null, Trouble>>
}

/** The names of the label and the annotations of everything that Countersign makes. */
export const MARKS = {
  session: 'countersign/session',
  owner: 'countersign/owner',
  folder: 'countersign/folder',
  lease: 'countersign/lease',
} as const

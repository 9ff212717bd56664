import type { Place } from '../../../shared/places/address.ts'
import type { Result } from '../../../shared/lib/result.ts'
import type { NewPlace } from '../../../shared/places/new-place.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { MadePlace } from './made-place.ts'

/** Where a new place will be, before anything is made. */
interface PlannedPlace {
  /** `from` with everything decided that the user left open. */
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
  /** Told what is being waited for, as a sentence. */
  readonly report: (words: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Whether a place is there. `why`: why it is not, or not yet, as a sentence. */
export type PlaceState =
  | { readonly kind: 'running' }
  | { readonly kind: 'waiting'; readonly why: string }
  | { readonly kind: 'gone'; readonly why: string }

/** `isNew`: the place was made by this call, so nothing is installed there. */
export interface Ensured {
  readonly isNew: boolean
}

/** Makes places of one kind with the user's own program. */
export interface Maker<P extends NewPlace> {
  /** Decides what the user left open. Makes nothing. */
  plan(asked: PlaceToPlan<P>): Promise<Result<PlannedPlace, Trouble>>
  /** Makes the place, or takes over the one with its name. Does nothing if it runs. */
  ensure(made: MadePlace, from: P, options: MakeOptions): Promise<Result<Ensured, Trouble>>
  state(made: MadePlace, from: P): Promise<PlaceState>
  /** Renews its lease. */
  renew(made: MadePlace, from: P): Promise<unknown>
  /** Ends and removes it. Does nothing if it is gone. `forgets`: removes also what would be there when it is made again. */
  remove(made: MadePlace, from: P, forgets: boolean): Promise<Result<null, Trouble>>
}

/** The names of the label and of the annotations with which everything that we make is marked. */
export const MARKS = {
  session: 'countersign/session',
  owner: 'countersign/owner',
  folder: 'countersign/folder',
  lease: 'countersign/lease',
} as const

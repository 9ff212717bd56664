import { z } from 'zod'
import type { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

/**
 * What a finding is about. `database`: the file itself. `event`: a row of a session's log. `pair`: an event without the one it belongs to.
 * `list`: a session's row in the list. `blob`: stored content. `search`: the search index. `leftover`: files of a killed process.
 */
type FindingKind = 'database' | 'event' | 'pair' | 'list' | 'blob' | 'search' | 'leftover'

/** Something the doctor found: what it is, what is kept, what to do. */
export interface Finding extends Trouble {
  readonly kind: FindingKind
  /** The session it concerns; null: all of them, or none. */
  readonly sessionId: SessionId | null
  /** `repair` fixes it or sets it aside. */
  readonly isRepairable: boolean
  /** Nothing is lost and nothing has to be done. */
  readonly isHarmless: boolean
}

export interface DoctorReport {
  /** Ms since 1970, and the version of the app that checked. */
  readonly at: number
  readonly version: string
  readonly durationMs: number
  /** Sessions that have events, sessions in the list, and sessions whose events can all be read. */
  readonly onDisk: number
  readonly listed: number
  readonly readable: number
  /** Sessions with events that cannot be read. */
  readonly unreadable: readonly SessionId[]
  /** What was read: events, stored contents and their bytes. */
  readonly events: number
  readonly blobs: number
  readonly blobBytes: number
  /** At most `MAX_FINDINGS`, damage first; `more`: how many others there are. */
  readonly findings: readonly Finding[]
  readonly more: number
  /** What a repair did, as sentences. Empty: nothing was repaired. */
  readonly repaired: readonly string[]
}

export const MAX_FINDINGS = 200

/** `running`: events and contents read so far; null: no check runs. `report`: of the last complete check; null: there is none. */
export interface DoctorState {
  readonly running: { readonly read: number } | null
  readonly report: DoctorReport | null
  /** Why the last check could not be completed; null: it was. */
  readonly trouble: Trouble | null
}

export const doctorApi = {
  state: stream({ input: z.object({}), item: items<DoctorState>() }),
  /**
   * Reads everything that is stored, in its own thread; answers when it is done. `repair`: then rebuilds the list and the search index
   * from the log, and sets damaged events aside, each with its text. A check that already runs is awaited first.
   */
  run: command({ input: z.object({ repair: z.boolean() }), output: returns<DoctorState>() }),
}

export const isDamage = ({ isHarmless }: Finding): boolean => !isHarmless

import { z } from 'zod'
import type { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

/**
 * The subject of a finding. `database`: the database file. `event`: a row of a session's log. `pair`: an event without its counterpart.
 * `list`: a session's row in the list. `blob`: stored content. `search`: the search index. `leftover`: files of a killed process. `layer`: the layer of a
 * session beside its folder.
 */
type FindingKind = 'database' | 'event' | 'pair' | 'list' | 'blob' | 'search' | 'leftover' | 'layer'

/** A finding of the doctor: what it is, what is kept, what to do. */
export interface Finding extends Trouble {
  readonly kind: FindingKind
  /** The session of the finding. Null if it concerns all sessions or none. */
  readonly sessionId: SessionId | null
  /** Whether `repair` fixes the finding or sets the damaged data aside. */
  readonly isRepairable: boolean
  /** Whether the finding is harmless: no data is lost, and nothing has to be done. */
  readonly isHarmless: boolean
}

export interface DoctorReport {
  /** Time of the check in ms since 1970. The next field is the version of the app that checked. */
  readonly at: number
  readonly version: string
  readonly durationMs: number
  /**
   * Number of sessions that have events. The next fields are the number of sessions in the list, and of sessions whose events can all be
   * read.
   */
  readonly onDisk: number
  readonly listed: number
  readonly readable: number
  /** Sessions with events that cannot be read. */
  readonly unreadable: readonly SessionId[]
  /** Number of events that were read. The next fields are the number of stored contents and their total size in bytes. */
  readonly events: number
  readonly blobs: number
  readonly blobBytes: number
  /** At most `MAX_FINDINGS` findings, damage first. `more` is the number of other findings. */
  readonly findings: readonly Finding[]
  readonly more: number
  /** What a repair did, as sentences. Empty if nothing was repaired. */
  readonly repaired: readonly string[]
}

export const MAX_FINDINGS = 200

/**
 * `running` is the number of events and contents read so far. Null if no check is running. `report` is the report of the last complete
 * check. Null if there is none.
 */
export interface DoctorState {
  readonly running: { readonly read: number } | null
  readonly report: DoctorReport | null
  /** Why the last check could not be completed. Null if it was completed. */
  readonly trouble: Trouble | null
}

export const doctorApi = {
  state: stream({ input: z.object({}), item: items<DoctorState>() }),
  /**
   * Reads everything that is stored, in its own thread, and answers when it is done. With `repair`, it then rebuilds the list and the
   * search index from the log, and sets damaged events aside, each with its text. If a check is already running, waits for it first.
   */
  run: command({ input: z.object({ repair: z.boolean() }), output: returns<DoctorState>() }),
}

export const isDamage = ({ isHarmless }: Finding): boolean => !isHarmless

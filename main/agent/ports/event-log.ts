import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent, Envelope, LiveEvent } from '../../../shared/session/events.ts'

/**
 * The append-only log of one session. `append` stores all events in one transaction, publishes them, and then returns. Stored events
 * survive a crash of the process at once, and a power cut a few milliseconds later (see `onDisk`). Throws `StorageError` if they could not
 * be stored. In that case none of them is stored.
 */
export interface EventLog {
  append(...events: readonly [DurableEvent, ...DurableEvent[]]): readonly Envelope[]
  /**
   * First delivers events of other processes to the subscribers. Then, in one transaction under the store's write lock, calls `decide` and
   * appends the events that it returns. If `decide` returns no events, nothing is appended.
   */
  transact(decide: () => readonly DurableEvent[]): readonly Envelope[]
  /**
   * Resolves when everything stored before the call survives a power cut. Rejects with `StorageError` if the disk fails. Await it before
   * each effect that the log must contain, and before telling the user that something is saved.
   */
  onDisk(): Promise<void>
  /**
   * Calls the listener with every event of this session from now on, in order: events appended here, events appended by another process,
   * and live events of this process.
   */
  subscribe(listener: (envelope: AnyEnvelope) => void): Disposable
  /** Sends a live event to the subscribers. It is never stored. */
  publish(event: LiveEvent): void
  /** The events in the range, in order. */
  read(range?: LogRange): Iterable<Envelope>
}

interface LogRange {
  /** Only events of this call. If several calls have the same id, only those of the newest call. */
  readonly call?: ToolCallId
  /** Only events with a greater `seq`. Default: all. */
  readonly after?: number
  /** The ends of calls up to this `seq` may lack their long texts (`output`, `modelText`, `details`), but never their pictures. */
  readonly slimTo?: number
}

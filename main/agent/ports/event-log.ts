import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent, Envelope, LiveEvent } from '../../../shared/session/events.ts'

/**
 * One session's append-only log. `append` returns when all events are on disk, in one transaction, and only then publishes them. Throws
 * `StorageError` if they could not be stored; then none are.
 */
export interface EventLog {
  append(...events: readonly [DurableEvent, ...DurableEvent[]]): readonly Envelope[]
  /**
   * Decides and appends under the store's write lock. First delivers events of other processes to the subscribers, then calls `decide`
   * and appends what it returns, all in one transaction. Empty: nothing is appended.
   */
  transact(decide: () => readonly DurableEvent[]): readonly Envelope[]
  /** Every later event of this session, in order: appended here, appended by another process, and live ones of this process. */
  subscribe(listener: (envelope: AnyEnvelope) => void): Disposable
  /** Sends a live event to the subscribers; it is never stored. */
  publish(event: LiveEvent): void
  /** The events of the range, in order. */
  read(range?: LogRange): Iterable<Envelope>
}

interface LogRange {
  /** Only events of this call; of several calls with the same id, the newest. */
  readonly call?: ToolCallId
  /** Only events with a greater `seq`. Default: all. */
  readonly after?: number
  /** Call ends up to this `seq` may lack their long texts (`output`, `modelText`, `details`), except pictures. */
  readonly slimTo?: number
}

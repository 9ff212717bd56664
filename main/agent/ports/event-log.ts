import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent, Envelope, LiveEvent } from '../../../shared/session/events.ts'

/**
 * One session's append-only log. `append` returns when the events are on disk, all or none, in one transaction, and only then
 * are they published. It throws `StorageError` when they could not be stored.
 */
export interface EventLog {
  append(...events: readonly [DurableEvent, ...DurableEvent[]]): readonly Envelope[]
  /**
   * Decides and appends under the store's write lock: first delivers to the subscribers what other processes appended, then calls
   * `decide` (which judges by what it has seen by now) and appends what it returns, all in one transaction. Empty: nothing happens.
   */
  transact(decide: () => readonly DurableEvent[]): readonly Envelope[]
  /** Every event of this session from now on, in order: appended here, by another process, and live ones of this process. */
  subscribe(listener: (envelope: AnyEnvelope) => void): Disposable
  /** Tells whoever watches; never stored. */
  publish(event: LiveEvent): void
  /** The events of the session in order, of the range. */
  read(range?: LogRange): Iterable<Envelope>
}

export interface LogRange {
  /** Only events of this call: of several with the same id, the newest. */
  readonly call?: ToolCallId
  /** Only events with a greater `seq`; left out: all. */
  readonly after?: number
  /** The ends of calls up to this `seq` may come without their long texts (`output`, `modelText`, `details`), but for pictures. */
  readonly slimTo?: number
}

/** Content-addressed bytes: writing the same bytes twice stores them once. `put` returns when they are on disk. */
export interface BlobStore {
  put(bytes: Uint8Array): BlobHash
  /** Throws when the blob is missing or its bytes no longer match their hash. */
  get(hash: BlobHash): Uint8Array
  has(hash: BlobHash): boolean
}

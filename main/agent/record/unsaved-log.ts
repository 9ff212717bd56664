import type { Disposable } from '../../../shared/lib/disposable.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent, Envelope, Trouble } from '../../../shared/session/events.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import { eventLoopTurn } from '../event-loop-slices.ts'
import { LOCK_TIMEOUT_MS, LOCK_RETRY_MS, retryWhileLocked } from './retry-while-locked.ts'
import { StorageError } from '../storage-error.ts'

/** A log that continues in memory while nothing can be stored: `append` and `transact` never throw `StorageError`. */
export interface UnsavedLog extends EventLog, Disposable {
  /** Why the newest events are not on disk. Null if all are. */
  trouble(): Trouble | null
  /** Events delivered but not yet on disk. */
  unsaved(): readonly Envelope[]
  /**
   * Resolves when the events survive a power cut, so that an effect may follow. Waits while another process holds the lock, but only
   * briefly. Rejects with `StorageError` if the effect must not follow.
   */
  appendOnDisk(...events: Events): Promise<void>
  /** Like `EventLog.transact`: the events are stored when this returns. If it throws `StorageError`, nothing has happened. */
  transactStored(decide: () => readonly DurableEvent[]): readonly Envelope[]
  /** Resolves when everything is stored, or sooner: it waits only while another process holds a lock, and only briefly. */
  settled(): Promise<void>
}

/** Stores the waiting events, then the new events, and returns the envelopes of both. */
type Storing = (waiting: readonly DurableEvent[]) => readonly Envelope[]
type Events = readonly [DurableEvent, ...DurableEvent[]]

export interface UnsavedLogParts {
  readonly sessionId: SessionId
  readonly log: EventLog
  readonly clock: Clock
  /** Sequence number of the newest event that the subscriber has, including unsaved events. */
  cursor(): number
}

/**
 * How long to wait after a failed write before the next attempt, in ms. The wait is shorter while the store is locked, because a lock may
 * be released at any moment.
 */
const STORE_RETRY_MS = 1000
const STORE_RETRY_LOCKED_MS = 50
/**
 * Difference between the sequence numbers of consecutive unsaved events. These numbers count up from the number of the newest stored event
 * and remain below the next integer.
 */
const STEP = 2 ** -20

/**
 * Events that cannot be stored are delivered with a number between the newest stored event and the next. They are stored in order and
 * before anything newer as soon as storing works again, and they are not delivered twice.
 */
export function keepUnsaved({ sessionId, log, clock, cursor }: UnsavedLogParts): UnsavedLog {
  const heard = new Emitter<AnyEnvelope>()
  const closed = new AbortController()
  let unsaved: readonly Envelope[] = []
  let trouble: Trouble | null = null
  let tryAt = 0
  const teller = createTeller(log, heard)
  const store = (how: Storing): readonly Envelope[] => {
    const waiting = unsaved.map(({ event }) => event)
    if (waiting.length > 0) teller.hold()
    let known: readonly Envelope[] = []
    try {
      const envelopes = how(waiting)
      known = envelopes.slice(0, waiting.length)
      unsaved = []
      trouble = null
      return envelopes.slice(waiting.length)
    } catch (error) {
      if (error instanceof StorageError) failed(error)
      throw error
    } finally {
      teller.release(known)
    }
  }
  /** Returns null if storing is not possible now. */
  const attempt = (how: Storing): readonly Envelope[] | null => {
    if (trouble && clock.elapsed() < tryAt) return null
    try {
      return store(how)
    } catch (error) {
      if (error instanceof StorageError) return null
      throw error
    }
  }
  const retryDelay = (): number => (trouble?.code === 'storage_locked' ? STORE_RETRY_LOCKED_MS : STORE_RETRY_MS)
  const failed = (error: StorageError): void => {
    const wasTrouble = trouble !== null
    trouble = error.trouble
    tryAt = clock.elapsed() + retryDelay()
    if (!wasTrouble) void retryWhile(() => trouble !== null, flush, { clock, retryDelay, closed: closed.signal })
  }
  const onDisk = (): Promise<void> =>
    log.onDisk().catch((error: unknown) => {
      if (error instanceof StorageError) failed(error)
      throw error
    })
  const flush = (): void => void attempt(([first, ...rest]) => (first ? log.append(first, ...rest) : []))
  const keep = (events: readonly DurableEvent[]): readonly Envelope[] => {
    const kept = provisional(events, sessionId, cursor(), clock.now())
    unsaved = [...unsaved, ...kept]
    for (const envelope of kept) heard.fire(envelope)
    return kept
  }
  const storing =
    (events: Events): Storing =>
    (waiting) =>
      log.append(...joined(waiting, events))

  const deciding =
    (decide: () => readonly DurableEvent[]): Storing =>
    (waiting) =>
      log.transact(() => [...waiting, ...decide()])

  return {
    trouble: () => trouble,
    unsaved: () => unsaved,
    append: (...events) => attempt(storing(events)) ?? keep(events),
    async appendOnDisk(...events) {
      await retryWhileLocked(() => store(storing(events)))
      await onDisk()
    },
    onDisk,
    settled: () => whileWaiting(() => trouble?.code === 'storage_locked', clock, closed.signal),
    transact: (decide) => attempt(deciding(decide)) ?? keep(decide()),
    transactStored: (decide) => store(deciding(decide)),
    subscribe: heard.event,
    publish: (event) => log.publish(event),
    *read(range = {}) {
      yield* log.read(range)
      const { after = 0, call } = range
      for (const envelope of unsaved) if (envelope.seq > after && (call === undefined || isOf(envelope.event, call))) yield envelope
    },
    dispose() {
      closed.abort()
      if (trouble) {
        tryAt = 0
        flush()
      }
      teller.dispose()
    },
  }
}

const isOf = (event: DurableEvent, call: ToolCallId): boolean => 'toolCallId' in event && event.toolCallId === call

interface Teller extends Disposable {
  /** Holds deliveries back until `release`, because it is not known until then which events have already been delivered. */
  hold(): void
  /** `known`: events that are stored now but were delivered before. */
  release(known: readonly Envelope[]): void
}

/** Forwards the log's events and delivers none of them twice. */
function createTeller(log: EventLog, heard: Emitter<AnyEnvelope>): Teller {
  const deliveredSeqs = new Set<number>()
  let held: AnyEnvelope[] | null = null
  const tell = (envelope: AnyEnvelope): void => {
    if (envelope.seq === null || !deliveredSeqs.delete(envelope.seq)) heard.fire(envelope)
  }
  const subscription = log.subscribe((envelope) => (held ? void held.push(envelope) : tell(envelope)))
  return {
    hold() {
      held = []
    },
    release(known) {
      for (const { seq } of known) deliveredSeqs.add(seq)
      const late = held ?? []
      held = null
      for (const envelope of late) tell(envelope)
    },
    dispose: () => subscription.dispose(),
  }
}

function joined(waiting: readonly DurableEvent[], events: Events): Events {
  const [first, ...rest] = waiting
  return first ? [first, ...rest, ...events] : events
}

function provisional(events: readonly DurableEvent[], sessionId: SessionId, cursor: number, at: number): readonly Envelope[] {
  return events.map((event, index) => ({ seq: cursor + (index + 1) * STEP, sessionId, after: cursor + index * STEP, at, event }))
}

/** Resolves when nothing is waiting any more, after the lock's timeout, or when the log is closed. */
async function whileWaiting(isWaiting: () => boolean, clock: Clock, closed: AbortSignal): Promise<void> {
  const until = clock.elapsed() + LOCK_TIMEOUT_MS
  while (isWaiting() && !closed.aborted && clock.elapsed() < until) await clock.sleep(LOCK_RETRY_MS, closed).catch(() => {})
}

interface Retrying {
  readonly clock: Clock
  /** Milliseconds until the next attempt. */
  retryDelay(): number
  readonly closed: AbortSignal
}

async function retryWhile(isFailing: () => boolean, retry: () => void, { clock, retryDelay, closed }: Retrying): Promise<void> {
  do {
    try {
      await clock.sleep(retryDelay(), closed)
    } catch {
      return
    }
    // Logs that began to wait together are each stored in a separate event loop turn.
    await eventLoopTurn()
    if (closed.aborted) return
    retry()
  } while (isFailing())
}

import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent, Envelope, Trouble } from '../../shared/session/events.ts'
import type { Clock } from './ports/clock.ts'
import type { EventLog } from './ports/event-log.ts'
import { StorageError } from './storage-error.ts'

/** A log that goes on in memory while nothing can be stored (D-55): `append` and `transact` never throw `StorageError`. */
export interface UnsavedLog extends EventLog, Disposable {
  /** Why the newest events are not on disk; null: all are. */
  trouble(): Trouble | null
  /** What is told and not on disk yet. */
  unsaved(): readonly Envelope[]
  /** As `append` of the port: on disk when it returns, or `StorageError` and nothing has happened. */
  appendOnDisk(...events: Events): readonly Envelope[]
}

type Events = readonly [DurableEvent, ...DurableEvent[]]

export interface UnsavedLogParts {
  readonly sessionId: SessionId
  readonly log: EventLog
  readonly clock: Clock
  /** Sequence number of the newest event that the subscriber knows, unsaved ones included. */
  cursor(): number
}

/** How long after a failure storing is not tried again, in ms: a locked store blocks while it is tried. */
const PATIENCE_MS = 1000
/** Between two unsaved events; they count up from the newest stored one and stay below the next. */
const STEP = 2 ** -20

/**
 * What cannot be stored is told to the subscribers with a number between the newest stored one and the next, and stored, in order and
 * before anything newer, as soon as that is possible again. It is then not told a second time.
 */
export function keepUnsaved({ sessionId, log, clock, cursor }: UnsavedLogParts): UnsavedLog {
  const heard = new Emitter<AnyEnvelope>()
  const closed = new AbortController()
  let unsaved: readonly Envelope[] = []
  let trouble: Trouble | null = null
  let tryAt = 0
  const told = new Set<DurableEvent>()

  const subscription = log.subscribe((envelope) => {
    if (envelope.seq !== null && told.delete(envelope.event)) return
    heard.fire(envelope)
  })
  /** Stores with all that waits before it. */
  const store = <T>(how: (waiting: readonly DurableEvent[]) => T): T => {
    const waiting = unsaved.map(({ event }) => event)
    for (const event of waiting) told.add(event)
    try {
      const value = how(waiting)
      unsaved = []
      trouble = null
      return value
    } catch (error) {
      told.clear()
      if (error instanceof StorageError) failed(error)
      throw error
    }
  }
  /** Null: not now. */
  const attempt = <T>(how: (waiting: readonly DurableEvent[]) => T): { readonly value: T } | null => {
    if (trouble && clock.now() < tryAt) return null
    try {
      return { value: store(how) }
    } catch (error) {
      if (error instanceof StorageError) return null
      throw error
    }
  }
  const failed = (error: StorageError): void => {
    tryAt = clock.now() + PATIENCE_MS
    if (!trouble) void retryLater()
    trouble = error.trouble
  }
  const retryLater = async (): Promise<void> => {
    do {
      try {
        await clock.sleep(PATIENCE_MS, closed.signal)
      } catch {
        return
      }
      flush()
    } while (trouble)
  }
  const flush = (): void => void attempt(([first, ...rest]) => first && log.append(first, ...rest))
  const keep = (events: readonly DurableEvent[]): readonly Envelope[] => {
    let seq = cursor()
    const kept = events.map((event): Envelope => {
      const after = seq
      seq += STEP
      return { seq, sessionId, after, at: clock.now(), event }
    })
    unsaved = [...unsaved, ...kept]
    for (const envelope of kept) heard.fire(envelope)
    return kept
  }

  const storing = (events: Events) => (waiting: readonly DurableEvent[]) => log.append(...joined(waiting, events)).slice(waiting.length)

  return {
    trouble: () => trouble,
    unsaved: () => unsaved,
    append: (...events) => attempt(storing(events))?.value ?? keep(events),
    appendOnDisk: (...events) => store(storing(events)),
    transact: (decide) =>
      attempt((waiting) => log.transact(() => [...waiting, ...decide()]).slice(waiting.length))?.value ?? keep(decide()),
    subscribe: heard.event,
    publish: (event) => log.publish(event),
    *read() {
      yield* log.read()
      yield* unsaved
    },
    dispose() {
      closed.abort()
      if (trouble) {
        tryAt = 0
        flush()
      }
      subscription.dispose()
    },
  }
}

function joined(waiting: readonly DurableEvent[], events: Events): Events {
  const [first, ...rest] = waiting
  return first ? [first, ...rest, ...events] : events
}

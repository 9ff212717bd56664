import type { Disposable } from '../../../shared/lib/disposable.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent, Envelope, Trouble } from '../../../shared/session/events.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import { LOCK_PATIENCE_MS, LOCK_RETRY_MS } from './patience.ts'
import { StorageError } from '../storage-error.ts'

/** A log that goes on in memory while nothing can be stored (D-55): `append` and `transact` never throw `StorageError`. */
export interface UnsavedLog extends EventLog, Disposable {
  /** Why the newest events are not on disk; null: all are. */
  trouble(): Trouble | null
  /** What is told and not on disk yet. */
  unsaved(): readonly Envelope[]
  /** As `append` of the port: on disk when it returns, or `StorageError` and nothing has happened. */
  appendOnDisk(...events: Events): readonly Envelope[]
  /** Resolves when everything is on disk, or when another process has kept it from there for too long. */
  settled(): Promise<void>
}

/** Stores what waits and what is new, in this order, and returns the envelopes of both. */
type Storing = (waiting: readonly DurableEvent[]) => readonly Envelope[]
type Events = readonly [DurableEvent, ...DurableEvent[]]

export interface UnsavedLogParts {
  readonly sessionId: SessionId
  readonly log: EventLog
  readonly clock: Clock
  /** Sequence number of the newest event that the subscriber knows, unsaved ones included. */
  cursor(): number
}

/** How long after a failure storing is not tried again, in ms; of a store that is locked, which may be free at any moment, less. */
const PATIENCE_MS = 1000
const LOCKED_PATIENCE_MS = 50
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
  /** Null: not now. */
  const attempt = (how: Storing): readonly Envelope[] | null => {
    if (trouble && clock.elapsed() < tryAt) return null
    try {
      return store(how)
    } catch (error) {
      if (error instanceof StorageError) return null
      throw error
    }
  }
  const patience = (): number => (trouble?.code === 'storage_locked' ? LOCKED_PATIENCE_MS : PATIENCE_MS)
  const failed = (error: StorageError): void => {
    const wasTrouble = trouble !== null
    trouble = error.trouble
    tryAt = clock.elapsed() + patience()
    if (!wasTrouble) void retryWhile(() => trouble !== null, flush, { clock, patience, closed: closed.signal })
  }
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

  return {
    trouble: () => trouble,
    unsaved: () => unsaved,
    append: (...events) => attempt(storing(events)) ?? keep(events),
    appendOnDisk: (...events) => store(storing(events)),
    settled: () => whileWaiting(() => trouble?.code === 'storage_locked', clock, closed.signal),
    transact: (decide) => attempt((waiting) => log.transact(() => [...waiting, ...decide()])) ?? keep(decide()),
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
  /** Until `release` it is not known yet which events were told before. */
  hold(): void
  /** `known`: stored by now, told before. */
  release(known: readonly Envelope[]): void
}

/** Passes on what the log tells, but nothing a second time. */
function createTeller(log: EventLog, heard: Emitter<AnyEnvelope>): Teller {
  const told = new Set<number>()
  let held: AnyEnvelope[] | null = null
  const tell = (envelope: AnyEnvelope): void => {
    if (envelope.seq === null || !told.delete(envelope.seq)) heard.fire(envelope)
  }
  const subscription = log.subscribe((envelope) => (held ? void held.push(envelope) : tell(envelope)))
  return {
    hold() {
      held = []
    },
    release(known) {
      for (const { seq } of known) told.add(seq)
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

/** Resolves when it is over, after the patience for a lock, or when the log is closed. */
async function whileWaiting(isWaiting: () => boolean, clock: Clock, closed: AbortSignal): Promise<void> {
  const until = clock.elapsed() + LOCK_PATIENCE_MS
  while (isWaiting() && !closed.aborted && clock.elapsed() < until) await clock.sleep(LOCK_RETRY_MS, closed).catch(() => {})
}

interface Retrying {
  readonly clock: Clock
  /** Ms to the next try. */
  patience(): number
  readonly closed: AbortSignal
}

async function retryWhile(isFailing: () => boolean, retry: () => void, { clock, patience, closed }: Retrying): Promise<void> {
  do {
    try {
      await clock.sleep(patience(), closed)
    } catch {
      return
    }
    retry()
  } while (isFailing())
}

import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope, Envelope, LiveEnvelope } from '../../../shared/session/events.ts'

export type EnvelopeListener = (envelopes: readonly AnyEnvelope[]) => void
export type SummaryListener = (session: SessionSummary) => void

interface Subscriber {
  readonly listener: EnvelopeListener
  cursor: number
}

/**
 * The subscribers in this process. Each has its own cursor, so it gets every stored event once and in order, whatever its source, even if
 * a listener stores something while it is being called.
 */
export interface Subscriptions {
  add(sessionId: SessionId, cursor: number, listener: EnvelopeListener): Disposable
  addAll(listener: SummaryListener): Disposable
  /** Delivers newly stored events of one session, from this process or another. */
  deliver(sessionId: SessionId, envelopes: readonly Envelope[]): void
  live(envelope: LiveEnvelope): void
  summary(session: SessionSummary): void
  /** Sessions that somebody listens to, each with the oldest cursor among its subscribers. */
  followed(): ReadonlyMap<SessionId, number>
  readonly allIsHeard: boolean
  /** Calls the listener when the first subscriber is added and when the last one is removed. */
  onHeard(listener: (heard: boolean) => void): void
}

export function createSubscriptions(read: (sessionId: SessionId, after: number) => Iterable<Envelope>): Subscriptions {
  const sessions = new Map<SessionId, Set<Subscriber>>()
  const all = new Set<SummaryListener>()
  const turn = createTurn()
  let heard = false
  let onHeard: (heard: boolean) => void = () => {}
  const update = (): void => {
    const now = sessions.size > 0 || all.size > 0
    if (now === heard) return
    heard = now
    onHeard(now)
  }

  return {
    add(sessionId, cursor, listener) {
      const subscriber: Subscriber = { listener, cursor }
      const subscribers = sessions.get(sessionId) ?? new Set()
      sessions.set(sessionId, subscribers.add(subscriber))
      update()
      return disposable(() => {
        subscribers.delete(subscriber)
        if (subscribers.size === 0) sessions.delete(sessionId)
        update()
      })
    },
    addAll(listener) {
      const own: SummaryListener = (session) => listener(session)
      all.add(own)
      update()
      return disposable(() => {
        all.delete(own)
        update()
      })
    },
    deliver(sessionId, envelopes) {
      for (const subscriber of [...(sessions.get(sessionId) ?? [])]) {
        const fresh = unseen(sessionId, envelopes, subscriber.cursor, read)
        const last = fresh.at(-1)
        if (!last) continue
        subscriber.cursor = last.seq
        call(() => subscriber.listener(fresh))
      }
    },
    live(envelope) {
      for (const { listener } of [...(sessions.get(envelope.sessionId) ?? [])]) call(() => listener([envelope]))
    },
    summary(session) {
      turn(() => {
        for (const listener of [...all]) call(() => listener(session))
      })
    },
    followed: () => new Map([...sessions].map(([id, subscribers]) => [id, Math.min(...[...subscribers].map(({ cursor }) => cursor))])),
    get allIsHeard() {
      return all.size > 0
    },
    onHeard(listener) {
      onHeard = listener
    },
  }
}

/** Makes a batch listener that calls `listener` with one envelope at a time, in order, even if `listener` itself causes the next one. */
export function oneByOne(listener: (envelope: AnyEnvelope) => void): EnvelopeListener {
  const waiting: AnyEnvelope[] = []
  return (envelopes) => {
    waiting.push(...envelopes)
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const envelope = next
      call(() => listener(envelope))
    }
  }
}

/**
 * The envelopes that a subscriber at `cursor` has not received. If events of another process come in between, all of these envelopes are
 * read from the log.
 */
function unseen(
  sessionId: SessionId,
  envelopes: readonly Envelope[],
  cursor: number,
  read: (sessionId: SessionId, after: number) => Iterable<Envelope>,
): readonly Envelope[] {
  const [first] = envelopes
  if (!first) return []
  if ((first.after ?? 0) > cursor) return [...read(sessionId, cursor)]
  return envelopes.filter(({ seq }) => seq > cursor)
}

/** Runs tasks one after the other. If a listener causes another summary, all listeners get that summary after the current one. */
function createTurn(): (task: () => void) => void {
  const waiting: (() => void)[] = []
  let running = false
  return (task) => {
    waiting.push(task)
    if (running) return
    running = true
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) next()
    } finally {
      running = false
    }
  }
}

/** A listener's error is a bug. It is thrown later, so that the event is stored and the other listeners are called. */
function call(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

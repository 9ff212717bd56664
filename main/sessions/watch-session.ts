import { eventLoopTurn } from '../agent/event-loop-slices.ts'
import type { SessionStreamItem } from '../../shared/api/sessions.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { AnyEnvelope, LiveEnvelope, LiveEvent } from '../../shared/session/events.ts'
import { foldAll } from '../../shared/session/fold/fold.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'
import type { SessionStore } from './session-store.ts'

/** Number of ledger entries in the page that a client gets first. */
const PAGE = 100
/** Maximum number of missed events that are sent. A client that missed more gets a new page instead. */
const MAX_MISSED = 5_000

export interface WatchParts {
  readonly record: SessionRecord
  readonly clock: Clock
  readonly store: Pick<SessionStore, 'ledger' | 'eventsAfter' | 'countAfter'>
}

/** The state with the newest page of the ledger, including the text that is being written right now. */
export function snapshotOf({ record, store }: Omit<WatchParts, 'clock'>, limit: number): SessionState {
  const now = record.state()
  const stored = store.ledger.snapshot(record.sessionId, limit)
  if (!stored) return now
  const tails = new Map(now.items.map((item) => [item.id, item]))
  const items = stored.items.map((item) => {
    const own = tails.get(item.id)
    return item.kind === 'call' && own?.kind === 'call' ? { ...item, tail: own.tail } : item
  })
  return { ...foldAll({ ...stored, items }, record.unsaved()), live: now.live }
}

/** Time in ms for which live events are collected: about two frames. Stored events are sent immediately. */
const GATHER_MS = 30

/**
 * Yields what a window receives about a session. If `cursor` is null, the window first gets a snapshot. Otherwise it gets the events after
 * the cursor, or if that is not possible, `reset` and a snapshot. Then it gets each new event. If the window is slower than the events,
 * several are sent together. Ends when the signal aborts.
 */
export async function* watchSession(parts: WatchParts, cursor: number | null, signal: AbortSignal): AsyncGenerator<SessionStreamItem> {
  const coming = createComing(parts, signal)
  try {
    await eventLoopTurn()
    if (signal.aborted) return
    yield* beginning(parts, cursor)
    for (let envelopes = await coming.next(); envelopes; envelopes = await coming.next()) yield { kind: 'events', envelopes }
  } finally {
    coming.dispose()
  }
}

interface Coming extends Disposable {
  /** The next events, joined; null if the signal was aborted. */
  next(): Promise<readonly AnyEnvelope[] | null>
}

function createComing({ record, clock }: WatchParts, signal: AbortSignal): Coming {
  let waiting: AnyEnvelope[] = []
  let isUrgent = false
  let sentAt = -Infinity
  let wake: () => void = () => {}
  let wakesFor: 'any' | 'urgent' = 'any'
  const subscription = record.subscribe((envelope) => {
    addJoined(waiting, envelope)
    isUrgent ||= envelope.seq !== null
    if (isUrgent || wakesFor === 'any') wake()
  })
  const end = (): void => wake()
  signal.addEventListener('abort', end)
  const change = (what: typeof wakesFor): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    wakesFor = what
    wake = resolve
    return promise
  }
  return {
    async next() {
      if (!signal.aborted && waiting.length === 0) await change('any')
      const left = sentAt + GATHER_MS - clock.elapsed()
      if (!signal.aborted && !isUrgent && left > 0) {
        const over = new AbortController()
        await Promise.race([change('urgent'), clock.sleep(left, over.signal).catch(() => {})])
        over.abort()
      }
      // Sending an event with thousands of files takes as long as storing it, so other work runs in between.
      await eventLoopTurn()
      if (signal.aborted) return null
      const envelopes = waiting
      waiting = []
      isUrgent = false
      sentAt = clock.elapsed()
      return envelopes
    },
    dispose() {
      signal.removeEventListener('abort', end)
      subscription.dispose()
    },
  }
}

function* beginning(parts: WatchParts, cursor: number | null): Iterable<SessionStreamItem> {
  const snapshot = (): SessionStreamItem => ({ kind: 'snapshot', state: snapshotOf(parts, PAGE) })
  if (cursor === null) {
    yield snapshot()
    return
  }
  if (!canGoOn(parts, cursor)) {
    yield { kind: 'reset', why: 'The window’s copy is out of date and must be loaded again.' }
    yield snapshot()
    return
  }
  const { record, store } = parts
  for (const envelopes of store.eventsAfter(record.sessionId, cursor)) yield { kind: 'events', envelopes }
  const envelopes = record.unsaved()
  if (envelopes.length > 0) yield { kind: 'events', envelopes }
}

/** Whether the window can continue at the cursor: it is from this log, and not too many events have followed it. */
function canGoOn({ record, store }: WatchParts, cursor: number): boolean {
  if (cursor > record.state().cursor || !Number.isInteger(cursor)) return false
  return store.countAfter(record.sessionId, cursor, MAX_MISSED + 1) <= MAX_MISSED
}

/**
 * Adds an envelope to those that wait to be sent to a window. If the last two live events can be expressed as one event, they are joined.
 * Folding the joined event gives the same state.
 */
export function addJoined(waiting: AnyEnvelope[], envelope: AnyEnvelope): void {
  const last = waiting.at(-1)
  const joined = envelope.seq === null && last?.seq === null ? join(last.event, envelope.event) : null
  if (joined && last?.seq === null) waiting[waiting.length - 1] = { ...last, event: joined } satisfies LiveEnvelope
  else waiting.push(envelope)
}

/** Null if the events cannot be joined. */
function join(before: LiveEvent, after: LiveEvent): LiveEvent | null {
  switch (after.kind) {
    case 'ASSISTANT_TEXT_DELTA':
    case 'THINKING_DELTA':
      return before.kind === after.kind ? { kind: after.kind, text: before.text + after.text } : null
    case 'TOOL_CALL_DELTA':
      return before.kind === after.kind ? after : null
    case 'TOOL_CALL_OUTPUT_DELTA':
      return before.kind === after.kind && before.toolCallId === after.toolCallId ? after : null
    default:
      return null
  }
}

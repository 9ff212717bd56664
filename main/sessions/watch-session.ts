import { eventLoopTurn } from '../agent/event-loop-slices.ts'
import type { SessionStreamItem } from '../../shared/api/sessions.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { AnyEnvelope, LiveEnvelope, LiveEvent } from '../../shared/session/events.ts'
import { foldAll } from '../../shared/session/fold/fold.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'
import type { SessionStore } from './session-store.ts'

/** Entries of the page a client gets first. */
const PAGE = 100
/** A client that missed more events gets a new page instead. */
const MAX_MISSED = 5_000

export interface WatchParts {
  readonly record: SessionRecord
  readonly clock: Clock
  readonly store: Pick<SessionStore, 'ledger' | 'eventsAfter' | 'countAfter'>
}

/** The state with the newest page of the ledger, including what is being written right now. */
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

/** How long live events are collected, in ms: about two frames. Stored events are sent at once. */
const GATHER_MS = 30

/**
 * What a window receives of a session: with `cursor` null a snapshot, otherwise the events after it (or `reset` and a snapshot if that is
 * impossible), then every event as it comes. Events faster than they are taken are sent together. Ends with the signal.
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
  /** The next events, joined; null: the signal was aborted. */
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

/** The cursor is from this log, and not too much has happened since. */
function canGoOn({ record, store }: WatchParts, cursor: number): boolean {
  if (cursor > record.state().cursor || !Number.isInteger(cursor)) return false
  return store.countAfter(record.sessionId, cursor, MAX_MISSED + 1) <= MAX_MISSED
}

/** Adds an envelope to those waiting for a window. Live events that can be expressed as one are joined; folding gives the same state. */
export function addJoined(waiting: AnyEnvelope[], envelope: AnyEnvelope): void {
  const last = waiting.at(-1)
  const joined = envelope.seq === null && last?.seq === null ? join(last.event, envelope.event) : null
  if (joined && last?.seq === null) waiting[waiting.length - 1] = { ...last, event: joined } satisfies LiveEnvelope
  else waiting.push(envelope)
}

/** Null: they cannot be joined. */
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

import { newId, SessionId } from '../../../shared/lib/ids.ts'
import { type DoneMove, isInConversation } from '../../../shared/session/conversation-move.ts'
import { moveOf } from '../../../shared/session/fold/fold-rollback.ts'
import type { DurableEvent, Envelope } from '../../../shared/session/events.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { retryWhileLocked } from '../../agent/record/retry-while-locked.ts'
import { StorageError } from '../../agent/storage-error.ts'
import type { Claims } from '../claims/claims.ts'
import type { LifeLock } from '../claims/life-lock.ts'
import { storageTrouble } from '../database/storage-trouble.ts'
import type { SessionWriter } from './session-writer.ts'

/** The marker of a forked session. `copiedTo` is the newest event that was copied; null while the store `holder` is still copying. */
export const FORK_MARKER = 'fork'
export interface ForkNote {
  readonly from: SessionId
  readonly copiedTo: number | null
  readonly holder: string
}

export interface ForkSources {
  /** A session's events up to `to`, in order and in batches. */
  batches(sessionId: SessionId, to: number): Iterable<readonly Envelope[]>
  writer(sessionId: SessionId): SessionWriter
  readonly life: Pick<LifeLock, 'holder' | 'isAlive'>
  readonly claims: Pick<Claims, 'acquire' | 'release'>
}

export interface ForkParts extends ForkSources {
  mark(sessionId: SessionId, note: ForkNote): void
  dropIncomplete(sessionIds: readonly SessionId[]): Promise<void>
  readonly write: <T>(work: () => T) => T
}

/**
 * Creates a new session with a copy of the conversation of `source` as of the event `to`, with the original times. The two sessions share
 * nothing but blobs, so the source may be deleted. The cost of the copied conversation is counted only in the source. The copy is made in
 * slices. Until it is complete, the marker says that the copy is incomplete, and the session is claimed, so that no other process takes it
 * over. If the copy fails, for example because the source is deleted, rejects with a `StorageError`, and the incomplete copy is no longer
 * listed.
 */
export async function forkSession(source: SessionId, to: number, parts: ForkParts): Promise<SessionId> {
  const { batches, mark, life, claims, write, dropIncomplete } = parts
  const sessionId = SessionId.parse(newId('s'))
  const { moves, count } = await movesUntil(batches(source, to))
  if (count === 0) throw deleted(source)
  const note = { from: source, holder: life.holder }
  try {
    await retryWhileLocked(() => write(() => mark(sessionId, { ...note, copiedTo: null })))
    await retryWhileLocked(() => claims.acquire(sessionId))
    const copiedTo = await copyEvents({ sessionId, source, seq: to }, moves, count, parts)
    await retryWhileLocked(() => write(() => mark(sessionId, { ...note, copiedTo })))
  } catch (error) {
    await dropIncomplete([sessionId])
    throw error
  }
  await retryWhileLocked(() => claims.release(sessionId))
  return sessionId
}

const deleted = (source: SessionId): StorageError => new StorageError(storageTrouble('storage_deleted', source))

/**
 * Copies the events of the source up to `point.seq`, and returns the newest event of the copy. `count` is the number of these events in the
 * source.
 */
async function copyEvents(
  point: ForkPoint,
  moves: readonly DoneMove[],
  count: number,
  { batches, writer, write }: Pick<ForkParts, 'batches' | 'writer' | 'write'>,
): Promise<number> {
  const own = writer(point.sessionId)
  const slice = createSlices()
  let isIdle = true
  let copiedTo = 0
  let read = 0
  for (const batch of batches(point.source, point.seq)) {
    read += batch.length
    const copies = batch.flatMap(({ seq, at, event }) => {
      if (!isInConversation(seq, moves)) return []
      const copy = copyOf(event, point)
      return copy ? [{ at, event: copy }] : []
    })
    if (copies.length > 0) {
      const events = copies.map((copy) => copy.event)
      const times = copies.map(({ at }) => at)
      const { envelopes, row } = await retryWhileLocked(() => write(() => own.append(events, times)))
      copiedTo = envelopes.at(-1)?.seq ?? copiedTo
      isIdle = row?.run === 'IDLE' || row?.run === 'CLOSED'
    }
    await slice()
  }
  if (read < count) throw deleted(point.source)
  // The point may be inside a turn, which does not continue in the copy, so the turn is ended here.
  const end = { kind: 'PROCESSING_END', reason: 'completed', asks: false } as const
  if (!isIdle) await retryWhileLocked(() => write(() => own.append([end])))
  return copiedTo
}

/** The moves of the conversation to another point that these events contain, and the number of events. */
async function movesUntil(
  batches: Iterable<readonly Envelope[]>,
): Promise<{ readonly moves: readonly DoneMove[]; readonly count: number }> {
  const slice = createSlices()
  let count = 0
  const moves: DoneMove[] = []
  for (const batch of batches) {
    for (const { seq, event } of batch) {
      const move = moveOf(event)
      if (move) moves.push({ seq, to: move.to })
    }
    count += batch.length
    await slice()
  }
  return { moves, count }
}

interface ForkPoint {
  readonly sessionId: SessionId
  readonly source: SessionId
  readonly seq: number
}

/** Null if the event is not copied. */
function copyOf(event: DurableEvent, { sessionId, source, seq }: ForkPoint): DurableEvent | null {
  switch (event.kind) {
    case 'SESSION_START':
      return { ...event, sessionId, forkedFrom: { sessionId: source, seq } }
    case 'ROLLED_BACK':
      // The copy lacks the events that the undo removed from the conversation, so the undo must not move the conversation in the copy.
      return event.conversation ? { ...event, conversation: { ...event.conversation, to: Number.MAX_SAFE_INTEGER } } : event
    case 'SESSION_END':
    case 'INPUT_QUEUED':
    case 'INPUT_WITHDRAWN':
    case 'STOP_REQUESTED':
    case 'RETRY_REQUESTED':
    case 'RESUME_REQUESTED':
    case 'COMPACTION_REQUESTED':
    case 'USAGE':
    case 'CONVERSATION_MOVED':
    case 'ROLLBACK_STARTED':
      return null
    default:
      return event
  }
}

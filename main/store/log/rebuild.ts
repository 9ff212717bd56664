import type { SessionId } from '../../../shared/lib/ids.ts'
import { eventLoopTurn } from '../../agent/event-loop-slices.ts'
import { retryWhileLocked } from '../../agent/record/retry-while-locked.ts'
import type { Connection } from '../database/connection.ts'
import type { StoredEvent } from './event-reader.ts'
import type { EventRows } from './event-rows.ts'
import { emptyProjection, project, type Projection, rowOf } from './projection.ts'
import type { SessionRows } from './session-rows.ts'

export interface RebuildParts {
  readonly db: Connection
  readonly events: EventRows
  readonly rows: SessionRows
  readonly write: <T>(work: () => T) => T
  /** Whether the store is read-only. In that case, only the temporary copies of the derived tables are filled. */
  readonly isShadowed: boolean
}

export interface Rebuild {
  /** Rebuilds in one transaction, which may take a long time. */
  now(sessionId: SessionId): void
  /**
   * Rebuilds in transactions of a few milliseconds, with other work in between. An interrupted rebuild starts from the beginning at the
   * next use.
   */
  inSlices(sessionId: SessionId): Promise<void>
}

/**
 * Rebuilds the data derived from a session's log: the entry and step of each event, the derived tables, and finally the session's row,
 * whose version shows that the rest is complete. The log itself never changes.
 */
export function createRebuild({ db, events, rows, write, isShadowed }: RebuildParts): Rebuild {
  const derive = (before: Projection, stored: StoredEvent): Projection => {
    const { envelope, chars } = stored
    const { event, sessionId } = envelope
    if (isShadowed) {
      events.derived.put(envelope, stored.item, chars)
      return { ...before, state: { ...before.state, cursor: envelope.seq } }
    }
    const { after, item } = project(before, envelope)
    const found = item ?? ('toolCallId' in event ? events.derived.itemOfCall(sessionId, event.toolCallId) : null)
    events.index(stored, found, after.state.steps)
    events.derived.put(envelope, found, chars)
    return after
  }
  const step = db.transaction((batch: readonly StoredEvent[], from: Projection): Projection => batch.reduce(derive, from))
  /** Derives the data of the events after `from`, and then writes the row. */
  const finish = db.transaction((sessionId: SessionId, from: Projection): void => {
    let projection = from
    for (const batch of events.stored(sessionId, { after: from.state.cursor })) projection = batch.reduce(derive, projection)
    if (!isShadowed && projection.state.cursor > 0) rows.put(rowOf(projection))
  })
  const [stepNow, finishNow] = isShadowed ? [step, finish] : [step.immediate, finish.immediate]
  return {
    now: (sessionId) => write(() => finishNow(sessionId, emptyProjection(sessionId))),
    async inSlices(sessionId) {
      let projection = emptyProjection(sessionId)
      for (const batch of events.stored(sessionId, { after: 0 })) {
        const before = projection
        projection = await retryWhileLocked(() => write(() => stepNow(batch, before)))
        await eventLoopTurn()
      }
      await retryWhileLocked(() => write(() => finishNow(sessionId, projection)))
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type HistoryAnswer, type HistoryQuery, NO_FILTERS } from '../../shared/api/history.ts'
import type { ReplayMoment, ReplayOutline } from '../../shared/api/replay.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { workerFile } from '../environment/worker-file.ts'
import { createWorkerThread } from '../environment/worker-thread.ts'

export type HistoryRequest =
  | { readonly id: number; readonly query: HistoryQuery }
  /** Removes the texts of deleted sessions. */
  | { readonly id: number; readonly forget: readonly SessionId[] }
  | { readonly id: number; readonly outline: SessionId }
  | { readonly id: number; readonly moment: { readonly sessionId: SessionId; readonly seq: number } }
export type HistoryReply =
  | { readonly kind: 'found'; readonly id: number; readonly answer: HistoryAnswer }
  | { readonly kind: 'forgotten'; readonly id: number }
  | { readonly kind: 'outline'; readonly id: number; readonly outline: ReplayOutline }
  | { readonly kind: 'moment'; readonly id: number; readonly moment: ReplayMoment }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

type Asked<R = HistoryRequest> = R extends HistoryRequest ? Omit<R, 'id'> : never

export interface HistorySearch {
  search(query: HistoryQuery): Promise<Result<HistoryAnswer, Trouble>>
  /** The outline of a stored session for a replay: its turns, and the events at which the replay can stop. */
  outline(sessionId: SessionId): Promise<Result<ReplayOutline, Trouble>>
  /** The state of a stored session right after the event `seq`. */
  moment(sessionId: SessionId, seq: number): Promise<Result<ReplayMoment, Trouble>>
  /** Removes the texts of deleted sessions from the index. */
  forget(sessionIds: readonly SessionId[]): Promise<void>
  close(): Promise<void>
}

/**
 * Searches the sessions of a data folder in its own thread, which starts with the first search and keeps the index. `dataFolder` is null
 * if nothing is on disk.
 */
export function createHistorySearch(dataFolder: string | null): HistorySearch {
  const thread =
    dataFolder === null
      ? null
      : createWorkerThread<Asked, HistoryReply>(() => workerFile('history-worker', import.meta.url), { dataFolder })
  return {
    async search(query) {
      if (thread === null) return failed(nothingStored)
      const reply = await thread.ask({ query })
      if (reply.kind === 'found') return ok(reply.answer)
      return failed(notSearched(reply.kind === 'failed' ? reply.message : ''))
    },
    async outline(outline) {
      if (thread === null) return failed(nothingStored)
      const reply = await thread.ask({ outline })
      return reply.kind === 'outline' ? ok(reply.outline) : failed(notReplayed(reply.kind === 'failed' ? reply.message : ''))
    },
    async moment(sessionId, seq) {
      if (thread === null) return failed(nothingStored)
      const reply = await thread.ask({ moment: { sessionId, seq } })
      return reply.kind === 'moment' ? ok(reply.moment) : failed(notReplayed(reply.kind === 'failed' ? reply.message : ''))
    },
    async forget(forget) {
      await thread?.ask({ forget })
    },
    close: async () => thread?.close(),
  }
}

const NOTHING: HistoryQuery = { ...NO_FILTERS, words: '', order: 'newest', perSession: null }
const LOOK_AGAIN_MS = 100

/** Resolves when everything stored so far is in the index, or when the index cannot be built. */
export async function indexAll(search: HistorySearch): Promise<void> {
  for (;;) {
    const found = await search.search(NOTHING)
    if (!found.ok || found.value.behind === 0) return
    await sleep(LOOK_AGAIN_MS)
  }
}

const nothingStored: Trouble = {
  code: 'history_in_memory',
  what: 'In this run, the history is only in memory, so it can be neither searched nor replayed.',
  kept: 'The sessions of this run are kept until the app exits.',
  todo: 'Solve the problem that prevents the history from being saved, then start Countersign again.',
}

const notReplayed = (message: string): Trouble => ({
  code: 'session_not_replayed',
  what: `The session could not be replayed: ${message}`,
  kept: 'The stored session is unchanged.',
  todo: 'Try again. If it fails again, check the stored sessions in Settings > Doctor.',
})

const notSearched = (message: string): Trouble => ({
  code: 'history_not_searched',
  what: `The history could not be searched: ${message}`,
  kept: 'All sessions are kept. The search index is built from them and can be built again.',
  todo: 'Search again. If it fails again, quit Countersign, delete search.db in its data folder, and start Countersign again.',
})

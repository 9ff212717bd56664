import type { SessionId } from '../lib/ids.ts'
import { z } from 'zod'
import type { Todo } from './todo.ts'

/**
 * A point of a conversation. `before`: the point directly before this event (a seq). `after`: the point after this event and the rest of
 * its round, so that every call has its result. `step`: the point after this step and the rest of its round.
 */
export const ConversationPoint = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('before'), seq: z.number().int().min(1) }),
  z.object({ kind: z.literal('after'), seq: z.number().int().min(1) }),
  z.object({ kind: z.literal('step'), step: z.number().int().min(1) }),
])
export type ConversationPoint = z.infer<typeof ConversationPoint>

/** What a session waits for during a compaction, in words. */
export const SUMMARY = 'a summary of the conversation'

/** The result of a compaction. Token counts are estimated if no service has counted them. */
export interface CompactionReceipt {
  /** `overflow`: the service had rejected the conversation as too long. `manual`: the user requested the compaction. */
  readonly why: 'threshold' | 'overflow' | 'manual'
  /** Number of turns that the summary replaced. */
  readonly dropped: number
  /** Number of the user's messages in these turns that are kept word for word. */
  readonly pinned: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/**
 * The conversation continues from the event `to`. Later events are kept in the log. Moving to the point before the event of this move
 * restores them. The other fields are the session's state at `to`, so that the fold needs no earlier events.
 */
export interface ConversationMove {
  readonly to: number
  readonly todos: readonly Todo[]
  readonly compactions: readonly CompactionReceipt[]
  readonly wholeWanted: boolean
  /** Number of tokens of the request that was newest at `to`, and of its answer. */
  readonly context: number
}

/** A move and the sequence number of its event. */
export interface DoneMove {
  readonly seq: number
  readonly to: number
}

/** Whether an event is part of the conversation after these moves. The moves must be in order. */
export function isInConversation(seq: number, moves: readonly DoneMove[]): boolean {
  let end = Infinity
  for (let index = moves.length - 1; index >= 0; index--) {
    const move = moves[index]
    if (!move || move.seq > end) continue
    if (seq >= move.seq) return seq <= end
    end = move.to
  }
  return seq <= end
}

/** The origin of a fork's conversation: a session at its event `seq`. */
export interface ForkLink {
  readonly sessionId: SessionId
  readonly seq: number
}

import { z } from 'zod'
import type { Todo } from './todo.ts'

/**
 * A point of a conversation. `before`: as it was before this event (a seq). `after`: with this event and the rest of its round, so that
 * every call has its result. `step`: with this step and the rest of its round.
 */
export const ConversationPoint = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('before'), seq: z.number().int().min(1) }),
  z.object({ kind: z.literal('after'), seq: z.number().int().min(1) }),
  z.object({ kind: z.literal('step'), step: z.number().int().min(1) }),
])
export type ConversationPoint = z.infer<typeof ConversationPoint>

/** What a session waits for while a compaction is being made. */
export const SUMMARY = 'a summary of the conversation'

/** What a compaction did. Tokens are estimated where no service has counted them. */
export interface CompactionReceipt {
  /** `overflow`: the service had rejected the conversation as too long. `manual`: the person asked for it. */
  readonly why: 'threshold' | 'overflow' | 'manual'
  /** Turns replaced by the summary. */
  readonly dropped: number
  /** The person's messages among them that are kept word for word. */
  readonly pinned: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/**
 * The conversation continues as it was right after the event `to`. What came later stays in the log and can be brought back by moving to
 * before this event. The other fields are the session's state at `to`, so that the fold needs no earlier events.
 */
export interface ConversationMove {
  readonly to: number
  readonly todos: readonly Todo[]
  readonly compactions: readonly CompactionReceipt[]
  readonly wholeWanted: boolean
  /** Tokens of the newest request at `to`. */
  readonly context: number
}

/** A move and the event that made it. */
export interface DoneMove {
  readonly seq: number
  readonly to: number
}

/** Whether an event is part of the conversation after these moves, which are in order. */
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

import { z } from 'zod'
import { BlobHash, SessionId } from '../../lib/ids.ts'
import { command, items, returns, stream } from '../../wire/contract.ts'
import { MAX_COMMENTS } from '../../session/content.ts'
import type { Done } from '../sessions.ts'

/** Line numbers from 0, end excluded. */
const Lines = z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]).readonly()

const SeenHunk = z.object({
  /** Stands for the hunk's removed and added lines, so that it stays seen when other lines move it. */
  key: z.string().min(1).max(100),
  /** The version that the hunk starts from, and its lines there: a later hunk over the same lines is the same place, changed again. */
  base: BlobHash.nullable(),
  lines: Lines,
  /** The version in which it was seen. */
  after: BlobHash.nullable(),
})
export type SeenHunk = z.infer<typeof SeenHunk> & {
  /** Ms since 1970. */
  readonly at: number
}

const ReviewComment = z.object({
  id: z.string().min(1).max(80),
  /** Absolute, and as the person knows it. */
  path: z.string().min(1).max(4096),
  shown: z.string().min(1).max(4096),
  /** The version whose lines are meant: before or after the change. */
  side: z.enum(['before', 'after']),
  /** First and last line, from 1. */
  from: z.number().int().positive(),
  to: z.number().int().positive(),
  /** The text of these lines. */
  quoted: z.string().max(100_000),
  words: z.string().min(1).max(20_000),
})
export type ReviewComment = z.infer<typeof ReviewComment>

/** What a person noted in the review of one session. Stored, so that every window and every start agrees. */
export interface ReviewNotes {
  /** By absolute path. */
  readonly seen: Readonly<Record<string, readonly SeenHunk[]>>
  /** Those that wait for the person's next message, oldest first. */
  readonly comments: readonly ReviewComment[]
}

/** Hunks of one file that can be marked at once. */
const MAX_HUNKS = 10_000

export const reviewApi = {
  /** The notes now and after each change. */
  notes: stream({ input: z.object({ sessionId: SessionId }), item: items<ReviewNotes>() }),
  /** Marks hunks of a file as seen, or no longer. */
  see: command({
    input: z.object({
      sessionId: SessionId,
      path: z.string().min(1).max(4096),
      hunks: z.array(SeenHunk).max(MAX_HUNKS),
      seen: z.boolean(),
    }),
    output: returns<Done>(),
  }),
  /** Adds a comment to the next message, or replaces the one with its id. */
  comment: command({ input: z.object({ sessionId: SessionId, comment: ReviewComment }), output: returns<Done>() }),
  uncomment: command({
    input: z.object({ sessionId: SessionId, ids: z.array(z.string().max(80)).max(MAX_COMMENTS) }),
    output: returns<Done>(),
  }),
}

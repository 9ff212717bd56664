import { z } from 'zod'
import { BlobHash, SessionId } from '../../lib/ids.ts'
import { command, items, returns, stream } from '../../wire/contract.ts'
import { MAX_COMMENTS } from '../../session/content.ts'
import type { Done } from '../sessions.ts'

/** A range of lines, counted from 0, end excluded. */
const Lines = z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]).readonly()

const SeenHunk = z.object({
  /**
   * Identifies the hunk by its removed and added lines, so that a hunk that was seen stays marked as seen when changes elsewhere in the
   * file move it.
   */
  key: z.string().min(1).max(100),
  /**
   * The version that the hunk starts from. The next field contains the hunk's lines in that version. A later hunk that changes the same
   * lines is shown as changed again since the user saw this one.
   */
  base: BlobHash.nullable(),
  lines: Lines,
  /** The version in which the hunk was seen. */
  after: BlobHash.nullable(),
})
export type SeenHunk = z.infer<typeof SeenHunk> & {
  /** Ms since 1970. */
  readonly at: number
}

const ReviewComment = z.object({
  id: z.string().min(1).max(80),
  /** Absolute path. The next field is the path as the user sees it. */
  path: z.string().min(1).max(4096),
  shown: z.string().min(1).max(4096),
  /** The version that the line numbers refer to: before or after the change. */
  side: z.enum(['before', 'after']),
  /** First line, counted from 1. The next field is the last line. */
  from: z.number().int().positive(),
  to: z.number().int().positive(),
  /** The text of these lines. */
  quoted: z.string().max(100_000),
  words: z.string().min(1).max(20_000),
})
export type ReviewComment = z.infer<typeof ReviewComment>

/** The user's notes in the review of one session. They are stored, so that all windows have the same notes, even after a restart. */
export interface ReviewNotes {
  /** Seen hunks by absolute path. */
  readonly seen: Readonly<Record<string, readonly SeenHunk[]>>
  /** The comments that wait for the user's next message, oldest first. */
  readonly comments: readonly ReviewComment[]
}

/** Maximum number of hunks of one file that can be marked at once. */
const MAX_HUNKS = 10_000

export const reviewApi = {
  /** The notes. Sent at once and after each change. */
  notes: stream({ input: z.object({ sessionId: SessionId }), item: items<ReviewNotes>() }),
  /** Marks hunks of a file as seen, or removes the marks. */
  see: command({
    input: z.object({
      sessionId: SessionId,
      path: z.string().min(1).max(4096),
      hunks: z.array(SeenHunk).max(MAX_HUNKS),
      seen: z.boolean(),
    }),
    output: returns<Done>(),
  }),
  /** Adds a comment to the next message, or replaces the comment with the same id. */
  comment: command({ input: z.object({ sessionId: SessionId, comment: ReviewComment }), output: returns<Done>() }),
  uncomment: command({
    input: z.object({ sessionId: SessionId, ids: z.array(z.string().max(80)).max(MAX_COMMENTS) }),
    output: returns<Done>(),
  }),
}

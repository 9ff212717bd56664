import { z } from 'zod'

/** Lines that two sides both changed: a step and later work, or a subagent and someone else (`before` is then the subagent's side, and `step` what it found). Line numbers count from 1, each in its own text. */
export interface ConflictRegion {
  readonly before: ConflictLines
  readonly step: ConflictLines
  readonly now: ConflictLines
}
export interface ConflictLines {
  readonly line: number
  readonly lines: readonly string[]
}

/** For one region of a conflict: the lines as they are now, as they were before the step, or others. */
export const ConflictChoice = z.union([z.enum(['now', 'before']), z.object({ text: z.string().max(1_000_000) })])
export type ConflictChoice = z.infer<typeof ConflictChoice>

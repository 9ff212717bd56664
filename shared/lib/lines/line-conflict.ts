import { z } from 'zod'

/**
 * Lines that both sides of a conflict changed. The sides are a step and later work, or a subagent and someone else. For a subagent,
 * `before` contains the subagent's lines, and `step` contains the lines as the subagent found them. Line numbers count from 1, each in its
 * own text.
 */
export interface ConflictRegion {
  readonly before: ConflictLines
  readonly step: ConflictLines
  readonly now: ConflictLines
}
export interface ConflictLines {
  readonly line: number
  readonly lines: readonly string[]
}

/** The choice for one region of a conflict: the current lines, the lines before the step, or other lines. */
export const ConflictChoice = z.union([z.enum(['now', 'before']), z.object({ text: z.string().max(1_000_000) })])
export type ConflictChoice = z.infer<typeof ConflictChoice>

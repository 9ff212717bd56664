import type { z } from 'zod'

/** Marks an argument that other agents know: it is honoured where it comes, and no model is told of it. */
export const UNLISTED = { unlisted: true } as const

/** The part of a tool that every side knows: its canonical name, what it takes, and how an entry of the ledger calls it. */
export interface ToolSpec<I extends z.ZodType = z.ZodType> {
  readonly name: string
  /** What the model is told. */
  readonly description: string
  readonly input: I
  /** The verb of the ledger's entry: "Read", "Edit", "Run". */
  readonly verb: string
}

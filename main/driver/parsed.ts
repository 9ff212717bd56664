import type { z } from 'zod'
import { explainIssues } from '../tools/define/explain-issues.ts'

/** What a schema makes of arguments; a model's raw JSON text counts as what it says. Throws an `Error` that names each place. */
export function parsed<T>(schema: z.ZodType<T>, args: unknown): T {
  const given = typeof args === 'string' ? fromJson(args) : args
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new Error(`Invalid arguments: ${explainIssues(result.error.issues, given)}`)
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Invalid arguments: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

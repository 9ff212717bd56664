import type { z } from 'zod'

/** What a schema makes of arguments; a model's raw JSON text counts as what it says. Throws an `Error` that names each place. */
export function parsed<T>(schema: z.ZodType<T>, args: unknown): T {
  const result = schema.safeParse(typeof args === 'string' ? fromJson(args) : args)
  if (result.success) return result.data
  throw new Error(`Invalid arguments: ${result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`)
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Invalid arguments: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

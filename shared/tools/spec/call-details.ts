import { z } from 'zod'
import type { JsonValue } from '../../session/content.ts'
import type { CallFacts } from './call-line.ts'
import type { ToolSpec } from './tool-spec.ts'

/** For tools that store nothing for the screen. */
export const NO_DETAILS = z.null()

/** Parsed details by their schema: a row of the ledger asks for them several times. */
const parsed = new WeakMap<z.ZodType, WeakMap<object, unknown>>()

/** What an ended call of this tool stored for the screen. Null: it has not ended, it is a call of another tool, or the stored value has another shape. */
export function detailsOf<D extends z.ZodType>(spec: ToolSpec<z.ZodType, D>, call: CallFacts): z.output<D> | null {
  return call.toolName === spec.name ? parsedAs(spec.details, call.details) : null
}

/** A stored value by its schema. Null: it has another shape. Never throws. */
export function parsedAs<D extends z.ZodType>(schema: D, value: JsonValue | undefined): z.output<D> | null {
  if (typeof value !== 'object' || value === null) return null
  let known = parsed.get(schema)
  if (!known) parsed.set(schema, (known = new WeakMap()))
  if (!known.has(value)) known.set(value, schema.safeParse(value).data ?? null)
  return known.get(value) as z.output<D> | null
}

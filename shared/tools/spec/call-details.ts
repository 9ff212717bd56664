import { z } from 'zod'
import type { JsonValue } from '../../session/content.ts'
import type { CallFacts } from './call-line.ts'
import type { ToolSpec } from './tool-spec.ts'

/** For tools that store nothing for the screen. */
export const NO_DETAILS = z.null()

/** Cache of parsed details: a row of the ledger needs them several times. */
const parsed = new WeakMap<z.ZodType, WeakMap<object, unknown>>()

/** The details that a call of this tool stored. Null if it has not ended, is a call of another tool, or its details do not match the schema. */
export function detailsOf<D extends z.ZodType>(spec: ToolSpec<z.ZodType, D>, call: CallFacts): z.output<D> | null {
  return call.toolName === spec.name ? parsedAs(spec.details, call.details) : null
}

/** Parses stored details. Null if they do not match the schema. Never throws. */
export function parsedAs<D extends z.ZodType>(schema: D, value: JsonValue | undefined): z.output<D> | null {
  if (typeof value !== 'object' || value === null) return null
  let known = parsed.get(schema)
  if (!known) parsed.set(schema, (known = new WeakMap()))
  if (!known.has(value)) known.set(value, schema.safeParse(value).data ?? null)
  return known.get(value) as z.output<D> | null
}

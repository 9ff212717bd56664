import { z } from 'zod'
import { ALL_TOOLS } from '../../../shared/tools/catalogue.ts'
import type { ToolSpec } from '../../../shared/tools/spec/tool-spec.ts'
import { BUILT_SCHEMAS } from './built-schemas.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** The JSON schema that a model gets for a tool. For built-in tools, it comes from the build. */
export function inputSchema({ name, input }: ToolSpec<z.ZodObject>): JsonSchema {
  const built = BUILT_SCHEMAS[name]
  return built && ALL_TOOLS.some((spec) => spec.input === input) ? built : schemaOf(input)
}

/** The schemas of all built-in tools by name, for the build. */
export function schemasToBuild(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(ALL_TOOLS.map(({ name, input }) => [name, schemaOf(input as z.ZodObject)]))
}

/** The schemas generated so far. They are reused, because every session makes its own tools from the same specs. */
const generated = new WeakMap<z.ZodObject, JsonSchema>()

/** The JSON schema of a tool's arguments, without the arguments that are not described to models. */
function schemaOf(input: z.ZodObject): JsonSchema {
  const known = generated.get(input)
  if (known) return known
  const schema = generateSchema(input)
  generated.set(input, schema)
  return schema
}

function generateSchema(input: z.ZodObject): JsonSchema {
  // The library zod gives every integer the largest safe integer as its maximum. A model does not need that information.
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return withoutUnlisted(schema) as typeof schema
}

function withoutUnlisted(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutUnlisted)
  if (typeof schema !== 'object' || schema === null) return schema
  const listed = Object.entries(schema).filter(([, value]) => !isUnlisted(value))
  return Object.fromEntries(listed.map(([name, value]) => [name, withoutUnlisted(value)]))
}

/** Whether an argument works but is not described to models. */
export function isUnlisted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'unlisted' in value
}

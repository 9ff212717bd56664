import { z } from 'zod'
import type { JsonValue } from '../../shared/session/content.ts'
import type { ToolSpec } from '../../shared/tools/tool-spec.ts'
import type { PrepareContext, Prepared, Tool } from '../agent/ports/tool.ts'
import { canonicalArguments } from './dialects/argument-names.ts'
import { explainIssues } from './dialects/explain-issues.ts'
import { refusedArgument } from './dialects/refused-arguments.ts'
import { isMeant, otherNamesOf } from './dialects/tool-names.ts'

/** What every built-in tool does alike: schema and validation from its spec, with other agents' argument names accepted. */
export function defineTool<I extends z.ZodObject>(
  spec: ToolSpec<I>,
  prepare: (input: z.infer<I>, context: PrepareContext) => Promise<Prepared>,
): Tool {
  let schema: Readonly<Record<string, unknown>> | null = null
  return {
    definition: {
      name: spec.name,
      description: spec.description,
      // Made when it is first asked for: a start pays for no schema that its profile leaves out.
      get parameters() {
        return (schema ??= schemaOf(spec.input))
      },
    },
    otherNames: otherNamesOf(spec.name),
    isMeant: (calledAs, args) => isMeant(spec.name, calledAs, args),
    // What JSON holds, by other names, is JSON still.
    ownArguments: (args) => canonicalArguments(spec.name, args) as { readonly [key: string]: JsonValue },
    validate(args) {
      if (typeof args !== 'object' || args === null || Array.isArray(args)) {
        return { ok: false, failure: `They must be one JSON object. ${takes(spec.input)}` }
      }
      const given = canonicalArguments(spec.name, args as Record<string, unknown>)
      const refused = refusedArgument(spec.name, given)
      if (refused !== null) return { ok: false, failure: `${refused} ${takes(spec.input)}` }
      const parsed = spec.input.safeParse(given)
      if (parsed.success) return { ok: true, value: parsed.data }
      return { ok: false, failure: `${explainIssues(parsed.error.issues, given)} ${takes(spec.input)}` }
    },
    // `validate` made it, so it is the schema's output.
    prepare: (args, context) => prepare(args as z.infer<I>, context),
  }
}

function schemaOf(input: z.ZodObject): Readonly<Record<string, unknown>> {
  // Every whole number would name the largest one that JavaScript can tell from its neighbours; a model need not read that.
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return listed(schema) as typeof schema
}

/** Without the arguments of which no model is told. */
function listed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(listed)
  if (typeof schema !== 'object' || schema === null) return schema
  const told = Object.entries(schema).filter(([, value]) => !isUnlisted(value))
  return Object.fromEntries(told.map(([name, value]) => [name, listed(value)]))
}

function isUnlisted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'unlisted' in value
}

function takes(input: z.ZodObject): string {
  const told = Object.entries(input.shape).filter(([, type]) => !isUnlisted(z.globalRegistry.get(type)))
  const names = told.map(([name, type]) => (z.safeParse(type, undefined).success ? `${name}?` : name))
  return `It takes ${names.join(', ')}.`
}

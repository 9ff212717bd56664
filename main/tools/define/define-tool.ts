import { modelOnly, reason } from '../../agent/reason.ts'
import { z } from 'zod'
import type { JsonValue } from '../../../shared/session/content.ts'
import { canonicalArguments, ignoredArguments, refusedArgument } from '../../../shared/tools/foreign-arguments/canonical-arguments.ts'
import { isMeant, otherNamesOf, type ToolSpec } from '../../../shared/tools/spec/tool-spec.ts'
import type { PrepareContext, Prepared, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { withWords } from '../../agent/tool-output.ts'
import { explainIssues } from './explain-invalid-arguments.ts'
import { inputSchema, isUnlisted } from './input-schema.ts'

/** Makes a tool from its spec: schema, validation, and the names that other agents use for the tool and its arguments. */
export function defineTool<I extends z.ZodObject>(
  spec: ToolSpec<I>,
  prepare: (input: z.infer<I>, context: PrepareContext) => Promise<Prepared>,
): Tool {
  let schema: Readonly<Record<string, unknown>> | null = null
  /** The names of the arguments that had no effect, for each validated input. */
  const ignored = new WeakMap<object, readonly string[]>()
  return {
    definition: {
      name: spec.name,
      description: spec.description,
      // The schema is generated on first use, so that startup does not generate the schemas of tools that the profile leaves out.
      get parameters() {
        return (schema ??= inputSchema(spec))
      },
    },
    otherNames: otherNamesOf(spec),
    isMeant: (calledAs, args) => isMeant(spec, calledAs, args),
    // After arguments are renamed, the object is still JSON.
    canonicalArguments: (args) => canonicalArguments(spec, args) as { readonly [key: string]: JsonValue },
    validate(args) {
      if (typeof args !== 'object' || args === null || Array.isArray(args)) {
        return { ok: false, failure: 'The arguments must be one JSON object.', advice: takes(spec.input) }
      }
      const given = canonicalArguments(spec, args as Record<string, unknown>)
      const refused = refusedArgument(spec, given)
      if (refused !== null) {
        const why = reason`There is no argument ${refused.argument}. ${modelOnly(refused.why)}`
        return { ok: false, failure: why, advice: takes(spec.input) }
      }
      const parsed = spec.input.safeParse(given)
      if (parsed.success) {
        ignored.set(parsed.data, ignoredArguments(spec, given))
        return { ok: true, value: parsed.data }
      }
      return { ok: false, failure: explainIssues(parsed.error.issues, given), advice: takes(spec.input) }
    },
    // `validate` has returned this value, so it has the schema's output type.
    async prepare(args, context) {
      const input = args as z.infer<I>
      const names = ignored.get(input) ?? []
      const prepared = await prepare(input, context)
      return names.length === 0
        ? prepared
        : withNote(prepared, `There is no argument ${names.slice(0, NAMED).join(', ')}, so it had no effect. ${takes(spec.input)}`)
    },
  }
}

/** Maximum number of arguments without effect that are named. */
const NAMED = 5

/** The note stands in whatever result the call has. */
function withNote(prepared: Prepared, note: string): Prepared {
  if (prepared.kind === 'rejected') return { ...prepared, output: noted(prepared.output, note) }
  return { ...prepared, commit: async (run) => noted(await prepared.commit(run), note) }
}

/** The result of a call, with a note for the model. */
export function noted(result: ToolOutput, note: string): ToolOutput {
  if (typeof result.output === 'string') return withWords(result, note)
  return { ...result, output: [...result.output, { kind: 'text', text: note }] }
}

/** Returns text such as "It takes file_path, offset?, limit?." */
function takes(input: z.ZodObject): string {
  const listed = Object.entries(input.shape).filter(([, type]) => !isUnlisted(z.globalRegistry.get(type)))
  const required = new Set(listed.flatMap(([name, type]) => (z.safeParse(type, undefined).success ? [] : [name])))
  return takesWords(
    listed.map(([name]) => name),
    (name) => required.has(name),
  )
}

/** Lists the arguments of a tool: "It takes file_path, offset?, limit?." */
export function takesWords(names: readonly string[], isRequired: (name: string) => boolean): string {
  return names.length === 0
    ? 'It takes no arguments.'
    : `It takes ${names.map((name) => (isRequired(name) ? name : `${name}?`)).join(', ')}.`
}

import type { ReasonText } from '../../agent/reason.ts'
import { isObject } from '../../../shared/lib/json.ts'
import { z } from 'zod'
import type { Tool } from '../../agent/ports/tool.ts'
import { noted } from '../../tools/define/define-tool.ts'
import { type Fitted, fitToSchema } from '../../tools/define/fit-to-schema.ts'
import { explainIssues } from '../../tools/define/explain-invalid-arguments.ts'
import { executorEnvironment } from '../environments/specified-environment.ts'
import type { RegisteredTool, ToolDefinition } from './tool-types.ts'

type Arguments = Record<string, unknown>

/**
 * Wraps an executor as a tool of Countersign. The effects of a call cannot be known in advance, so each call needs a signature, bound to
 * the tool and the arguments, unless `needsApproval` is false.
 */
export function executorTool({ definition, executor, needsApproval = true }: RegisteredTool): Tool {
  const check = argumentCheck(definition)
  return {
    isForeign: true,
    definition,
    validate(args) {
      if (!isObject(args)) return { ok: false, failure: 'The arguments must be one JSON object.' }
      const fitted = fitToSchema(definition.parameters, args)
      const failure = check(fitted.args)
      if (failure === null) return { ok: true, value: fitted }
      return { ok: false, failure, ...(fitted.note !== null && { advice: fitted.note }) }
    },
    prepare(value) {
      // `validate` has checked the type.
      const { args, note } = value as Fitted<Arguments>
      const summary = `${definition.name} ${JSON.stringify(args)}`
      return Promise.resolve({
        kind: 'ready',
        effects: needsApproval ? [{ kind: 'unknown', summary }] : [],
        async commit({ env, signal }) {
          const output: unknown = await executor(args, executorEnvironment(env, signal), signal)
          if (typeof output !== 'string') throw new TypeError(`${definition.name} returned ${typeof output}; a tool must return a string.`)
          const result = { output, isError: false, details: null }
          return note === null ? result : noted(result, note)
        },
      })
    },
  }
}

/** Returns what is wrong with arguments, or null. If zod does not support the schema, only `required` is checked. */
function argumentCheck({ parameters }: ToolDefinition): (args: Arguments) => ReasonText | null {
  try {
    const schema = z.fromJSONSchema(parameters)
    return (args) => {
      const parsed = schema.safeParse(args)
      return parsed.success ? null : explainIssues(parsed.error.issues, args)
    }
  } catch {
    const required = Array.isArray(parameters['required']) ? parameters['required'].filter((name) => typeof name === 'string') : []
    return (args) => {
      const missing = required.filter((name) => !Object.hasOwn(args, name))
      return missing.length === 0 ? null : `Missing: ${missing.join(', ')}.`
    }
  }
}

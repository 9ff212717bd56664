import type { Arguments } from '../parse-arguments.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { ToolDefinition } from '../ports/provider.ts'
import type { Tool } from '../ports/tool.ts'

/** P2-33: prepare and commit in one, so nobody can know beforehand what it will do. */
export type SeedExecutor = (args: Arguments, env: ExecutionEnvironment) => Promise<string>

/**
 * A tool from a bare executor (DESIGN §3): its effects are unknown, so it asks; an answer is bound to the tool and its whole arguments.
 * Of the arguments it is checked that those which the definition requires are there.
 */
export function seedExecutor(definition: ToolDefinition, execute: SeedExecutor): Tool {
  return {
    definition,
    validate(args) {
      if (!isObject(args)) return { ok: false, failure: 'They must be one JSON object.' }
      const missing = requiredOf(definition).filter((name) => !Object.hasOwn(args, name))
      return missing.length === 0 ? { ok: true, value: args } : { ok: false, failure: `Missing: ${missing.join(', ')}.` }
    },
    prepare(value, { env }) {
      const args = value as Arguments
      const summary = `${definition.name} ${JSON.stringify(args)}`
      return Promise.resolve({
        kind: 'ready',
        effects: [{ kind: 'unknown', summary }],
        commit: async () => ({ output: await execute(args, env), isError: false, details: null }),
      })
    },
  }
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function requiredOf({ parameters }: ToolDefinition): readonly string[] {
  const required = parameters['required']
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

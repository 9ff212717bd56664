import { z } from 'zod'
import { badOption } from '../agent-error.ts'
import type { ExecutionEnvironment } from '../environments/environment-types.ts'
import type { RegisteredTool, ToolDefinition, ToolRegistry } from './tool-types.ts'

/** A tool in one object. `A`: the type of its arguments, as `parameters` describes them. */
export interface ToolSource<A> extends ToolDefinition {
  readonly execute: (args: A, env: ExecutionEnvironment, signal?: AbortSignal) => Promise<string> | string
  readonly needsApproval?: boolean
}

/** Makes a tool for `createAgent` and for registries. Throws an `AgentError` if models would not accept this definition. */
export function defineTool<A extends object = Record<string, unknown>>(source: ToolSource<A>): RegisteredTool {
  const { name, description, parameters, execute, needsApproval } = source
  return checkedTool({
    definition: { name, description, parameters },
    // The arguments match the schema. The host must keep the schema consistent with `A`.
    executor: async (args, env, signal) => execute(args as A, env, signal),
    ...(needsApproval !== undefined && { needsApproval }),
  })
}

const registered = z.object({
  definition: z.object({
    name: z
      .string()
      .regex(/^[A-Za-z][\w-]{0,63}$/u, 'it must begin with a letter and contain only letters, digits, _ and -, at most 64 characters'),
    description: z.string(),
    parameters: z.looseObject({ type: z.literal('object') }),
  }),
  executor: z.custom((value) => typeof value === 'function', 'it must be a function'),
  needsApproval: z.boolean().optional(),
})

/** Returns the tool. Throws an `AgentError` that says what is wrong with it. */
function checkedTool(tool: RegisteredTool): RegisteredTool {
  const parsed = registered.safeParse(tool)
  if (parsed.success) return tool
  const name = (tool as Partial<RegisteredTool> | null)?.definition?.name
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ')
  throw badOption(`The tool ${JSON.stringify(name ?? null)} cannot be used. ${wrong}.`, 'Correct its definition and register it again.')
}

/** A registry in the shape that the specification defines: one tool per name, and the latest wins. It may be changed at run time. */
export function createToolRegistry(initial: ReadonlyArray<RegisteredTool> = []): ToolRegistry {
  const tools = new Map<string, RegisteredTool>()
  const register = (tool: RegisteredTool): void => void tools.set(checkedTool(tool).definition.name, tool)
  initial.forEach(register)
  return {
    register,
    unregister: (name) => void tools.delete(name),
    get: (name) => tools.get(name) ?? null,
    definitions: () => [...tools.values()].map(({ definition }) => definition),
    list: () => [...tools.values()],
  }
}

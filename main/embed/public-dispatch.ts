import { createCallMemory } from './call-memory.ts'
import { dispatchToolCalls as dispatch, type DispatchOptions } from './dispatch-without-session.ts'
import { hashOf } from '../agent/blob-hash.ts'
import type * as ports from '../agent/ports/execution-environment.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { createToolRegistry as createRegistry } from '../agent/tool-registry.ts'
import { contentText } from '../../shared/session/content.ts'
import type { HostEnvironment } from './environments/environment-types.ts'
import { executorTool } from './tools/executor-tool.ts'
import { hostEnvironment } from './environments/specified-environment.ts'
import type { RegisteredTool, ToolRegistry } from './tools/tool-types.ts'

export interface PendingToolCall {
  readonly toolCallId: string
  readonly toolName: string
  /** An object. A model's raw JSON text is accepted too. */
  readonly args: Record<string, unknown>
}

export interface ToolCallResult {
  readonly toolCallId: string
  readonly output: string
  readonly isError: boolean
}

const behind = new WeakMap<RegisteredTool, Tool>()

/** Returns the tool from which `registeredTool` made this object. If the host made the object, wraps its executor as a tool. */
export function toolBehind(registered: RegisteredTool): Tool {
  const known = behind.get(registered) ?? executorTool(registered)
  behind.set(registered, known)
  return known
}

/**
 * Converts a tool of Countersign to the shape that the specification defines. One call runs both `prepare` and `commit`, and everything is
 * approved. A failure is returned as text.
 */
export function registeredTool(tool: Tool): RegisteredTool {
  const { name } = tool.definition
  const registered: RegisteredTool = {
    definition: tool.definition,
    async executor(args, env, signal) {
      const work = hostEnvironment(env)
      const call = { toolCallId: '1', toolName: name, args }
      const [result] = await dispatch([call], createRegistry([tool]), work, false, await optionsFor(args, work, signal))
      return contentText(result?.output ?? '')
    },
  }
  behind.set(registered, tool)
  return registered
}

/** Marks the file as read, because the rule that a model must read a file before replacing it does not apply to direct calls. */
async function optionsFor(args: unknown, env: ports.ExecutionEnvironment, signal: AbortSignal | undefined): Promise<DispatchOptions> {
  const memory = createCallMemory()
  const path = typeof args === 'object' && args !== null && 'file_path' in args ? args.file_path : null
  if (typeof path === 'string') {
    const real = await env.realpath(path).catch(() => null)
    const bytes = real === null ? null : await env.readBytes(real).catch(() => null)
    if (real !== null && bytes !== null) memory.seen.saw({ path: real, hash: hashOf(bytes) })
  }
  return { memory, ...(signal && { signal }) }
}

/**
 * Runs calls in parallel or one after the other. Results are in the order of the calls. An unknown tool, invalid arguments and an
 * executor that throws lead to results with `isError`, never to exceptions. Nothing needs approval, and nothing is truncated.
 */
export async function dispatchToolCalls(
  toolCalls: ReadonlyArray<PendingToolCall>,
  registry: ToolRegistry,
  env: HostEnvironment,
  parallel: boolean,
): Promise<ReadonlyArray<ToolCallResult>> {
  const results = await dispatch(toolCalls, createRegistry(registry.list().map(toolBehind)), hostEnvironment(env), parallel)
  return results.map(({ toolCallId, output, isError }) => ({ toolCallId, output: contentText(output), isError }))
}

import type { ExecutionEnvironment } from '../environments/environment-types.ts'

export interface ToolDefinition {
  /** A letter, then letters, digits, `_` or `-`; at most 64 characters. */
  readonly name: string
  /** For the model: what it does and when to use it. */
  readonly description: string
  /** JSON Schema with an object at its root. Arguments are checked against it before the executor is called. */
  readonly parameters: Record<string, unknown>
}

/** `args` fit the tool's schema. What it returns goes to the model; what it throws goes there too, as a failed call. `signal` is aborted with the turn. */
export type ToolExecutor = (args: Record<string, unknown>, env: ExecutionEnvironment, signal?: AbortSignal) => Promise<string>

export interface RegisteredTool {
  readonly definition: ToolDefinition
  readonly executor: ToolExecutor
  /** False: it changes nothing that anybody must sign, so it runs at once, beside other calls. Left out: each call is a request for a signature. */
  readonly needsApproval?: boolean
}

/** Tools by name, the latest of a name counting. It may be changed at any time; `unregister` brings no older tool back. */
export interface ToolRegistry {
  readonly register: (tool: RegisteredTool) => void
  readonly unregister: (name: string) => void
  readonly get: (name: string) => RegisteredTool | null
  readonly definitions: () => ReadonlyArray<ToolDefinition>
  readonly list: () => ReadonlyArray<RegisteredTool>
}

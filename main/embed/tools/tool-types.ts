import type { ExecutionEnvironment } from '../environments/environment-types.ts'

export interface ToolDefinition {
  /** A letter, followed by letters, digits, `_` or `-`. At most 64 characters. */
  readonly name: string
  /** A description for the model: what the tool does and when to use it. */
  readonly description: string
  /** JSON Schema of an object. Arguments are checked against it before the executor is called. */
  readonly parameters: Record<string, unknown>
}

/**
 * `args` match the tool's schema. The model gets what the executor returns. If the executor throws, the call fails, and the model gets the
 * error. `signal` aborts with the turn.
 */
export type ToolExecutor = (args: Record<string, unknown>, env: ExecutionEnvironment, signal?: AbortSignal) => Promise<string>

export interface RegisteredTool {
  readonly definition: ToolDefinition
  readonly executor: ToolExecutor
  /**
   * If false, the tool changes nothing that needs a signature, so it runs immediately and in parallel with other calls. Default: each call
   * needs a signature.
   */
  readonly needsApproval?: boolean
}

/**
 * Tools by name. The latest registration wins. The registry may be changed at any time, and `unregister` does not bring back an older
 * tool.
 */
export interface ToolRegistry {
  readonly register: (tool: RegisteredTool) => void
  readonly unregister: (name: string) => void
  readonly get: (name: string) => RegisteredTool | null
  readonly definitions: () => ReadonlyArray<ToolDefinition>
  readonly list: () => ReadonlyArray<RegisteredTool>
}

/**
 * The types of the two seed plans, copied word for word, as a host written against those plans has them. Our entry is checked against
 * these types, so they may not be adapted to the entry.
 */

export type SessionState = 'IDLE' | 'PROCESSING' | 'AWAITING_INPUT' | 'CLOSED'

export type SessionConfig = {
  readonly model: string
  readonly provider: string
  readonly maxToolRoundsPerInput?: number
  readonly maxTurns?: number
  readonly contextWindowSize?: number
  readonly toolOutputLimits?: Readonly<Record<string, number>>
  readonly toolLineLimits?: Readonly<Record<string, number>>
  readonly loopDetectionWindow?: number
  readonly maxSubagentDepth?: number
  readonly defaultCommandTimeout?: number
  readonly userInstruction?: string
  readonly workingDirectory?: string
  readonly reasoningEffort?: 'low' | 'medium' | 'high'
}

export type UserTurn = {
  readonly kind: 'user'
  readonly content: string
}

export type AssistantTurn = {
  readonly kind: 'assistant'
  readonly content: ReadonlyArray<unknown>
}

export type ToolResultsTurn = {
  readonly kind: 'tool_results'
  readonly results: ReadonlyArray<ToolResultEntry>
}

export type ToolResultEntry = {
  readonly toolCallId: string
  readonly output: string
  readonly isError: boolean
}

export type SystemTurn = {
  readonly kind: 'system'
  readonly content: string
}

export type SteeringTurn = {
  readonly kind: 'steering'
  readonly content: string
}

export type Turn = UserTurn | AssistantTurn | ToolResultsTurn | SystemTurn | SteeringTurn

export type EventKind =
  | 'SESSION_START'
  | 'SESSION_END'
  | 'ASSISTANT_TEXT_START'
  | 'ASSISTANT_TEXT_DELTA'
  | 'ASSISTANT_TEXT_END'
  | 'TOOL_CALL_START'
  | 'TOOL_CALL_END'
  | 'THINKING_DELTA'
  | 'TURN_LIMIT'
  | 'LOOP_DETECTION'
  | 'CONTEXT_WARNING'
  | 'ERROR'
  | 'SUBAGENT_EVENT'

export type SessionEvent =
  | { readonly kind: 'SESSION_START'; readonly sessionId: string }
  | { readonly kind: 'SESSION_END'; readonly sessionId: string }
  | { readonly kind: 'ASSISTANT_TEXT_START' }
  | { readonly kind: 'ASSISTANT_TEXT_DELTA'; readonly text: string }
  | { readonly kind: 'ASSISTANT_TEXT_END' }
  | { readonly kind: 'TOOL_CALL_START'; readonly toolCallId: string; readonly toolName: string; readonly args: Record<string, unknown> }
  | {
      readonly kind: 'TOOL_CALL_END'
      readonly toolCallId: string
      readonly toolName: string
      readonly output: string
      readonly isError: boolean
    }
  | { readonly kind: 'THINKING_DELTA'; readonly text: string }
  | { readonly kind: 'TURN_LIMIT'; readonly reason: 'max_tool_rounds' | 'max_turns' }
  | { readonly kind: 'LOOP_DETECTION'; readonly message: string }
  | { readonly kind: 'CONTEXT_WARNING'; readonly usagePercent: number }
  | { readonly kind: 'ERROR'; readonly error: Error }
  | { readonly kind: 'SUBAGENT_EVENT'; readonly subagentId: string; readonly event: SessionEvent }

export type ProfileId = 'openai' | 'anthropic' | 'gemini'

export type ProviderProfile = {
  readonly id: ProfileId
  readonly displayName: string
  readonly defaultModel: string
  readonly toolRegistry: ToolRegistry
  readonly supportsParallelToolCalls: boolean
  readonly buildSystemPrompt: (context: SystemPromptContext) => string
  readonly projectDocFiles: ReadonlyArray<string>
  readonly defaultCommandTimeout: number
}

export type SystemPromptContext = {
  readonly platform: string
  readonly osVersion: string
  readonly workingDirectory: string
  readonly gitBranch: string | null
  readonly gitStatus: string | null
  readonly gitLog: string | null
  readonly date: string
  readonly model: string
  readonly projectDocs: string
  readonly userInstruction: string | null
}

export type ExecResult = {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly timedOut: boolean
  readonly durationMs: number
}

export type DirEntry = {
  readonly name: string
  readonly isDir: boolean
  readonly size: number | null
}

export type GrepOptions = {
  readonly caseSensitive?: boolean
  readonly maxResults?: number
  readonly includePattern?: string
  readonly contextLines?: number
}

export type EnvVarPolicy = 'inherit_all' | 'inherit_core' | 'inherit_none'

export type ExecutionEnvironment = {
  readonly readFile: (path: string, offset?: number, limit?: number) => Promise<string>
  readonly writeFile: (path: string, content: string) => Promise<void>
  readonly deleteFile: (path: string) => Promise<void>
  readonly fileExists: (path: string) => Promise<boolean>
  readonly listDirectory: (path: string, depth?: number) => Promise<ReadonlyArray<DirEntry>>
  readonly execCommand: (
    command: string,
    timeoutMs?: number,
    workingDir?: string,
    envVars?: Readonly<Record<string, string>>,
  ) => Promise<ExecResult>
  readonly grep: (pattern: string, path: string, options?: GrepOptions) => Promise<string>
  readonly glob: (pattern: string, path: string) => Promise<ReadonlyArray<string>>
  readonly initialize: () => Promise<void>
  readonly cleanup: () => Promise<void>
  readonly workingDirectory: () => string
  readonly platform: () => string
  readonly osVersion: () => string
}

export type ToolDefinition = {
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
}

export type ToolExecutor = (args: Record<string, unknown>, env: ExecutionEnvironment) => Promise<string>

export type RegisteredTool = {
  readonly definition: ToolDefinition
  readonly executor: ToolExecutor
}

/**
 * Mutable container by design. ToolRegistry holds a Map<string, RegisteredTool>
 * that is modified via register()/unregister() at runtime — e.g., Session
 * registers subagent tools post-construction (Phase 7). The `readonly` modifiers
 * on fields prevent reassignment of the method references, not mutation of
 * internal state. This is the intended exception to the project's immutability-
 * by-default convention.
 */
export type ToolRegistry = {
  readonly register: (tool: RegisteredTool) => void
  readonly unregister: (name: string) => void
  readonly get: (name: string) => RegisteredTool | null
  readonly definitions: () => ReadonlyArray<ToolDefinition>
  readonly list: () => ReadonlyArray<RegisteredTool>
}

export type TruncationMode = 'head_tail' | 'tail'

export type TruncationConfig = {
  readonly toolOutputLimits?: Readonly<Record<string, number>>
  readonly toolLineLimits?: Readonly<Record<string, number>>
}

export declare const DEFAULT_CHAR_LIMITS: Readonly<Record<string, number>>

export declare const DEFAULT_TRUNCATION_MODES: Readonly<Record<string, TruncationMode>>

export declare const DEFAULT_LINE_LIMITS: Readonly<Record<string, number | null>>

export declare function truncateToolOutput(output: string, toolName: string, config?: TruncationConfig): string

export type PendingToolCall = {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: Record<string, unknown>
}

export type ToolCallResult = {
  readonly toolCallId: string
  readonly output: string
  readonly isError: boolean
}

export declare function dispatchToolCalls(
  toolCalls: ReadonlyArray<PendingToolCall>,
  registry: ToolRegistry,
  env: ExecutionEnvironment,
  parallel: boolean,
): Promise<ReadonlyArray<ToolCallResult>>

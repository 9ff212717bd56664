/** `countersign/agent`: the agent as a library, without a window or Electron. docs/agent-api.md describes it. */
export { AgentError } from './embed/agent-error.ts'
export type { AgentOptions } from './embed/agent-options.ts'
export type {
  Agent,
  AgentSession,
  ApprovalAnswer,
  ApprovalHandler,
  ApprovalRequest,
  Message,
  SessionInfo,
  TurnResult,
} from './embed/agent-interface.ts'
export { createAgent } from './embed/create-agent.ts'
export { createToolRegistry, defineTool, type ToolSource } from './embed/tools/define-tool.ts'
export { dispatchToolCalls, type PendingToolCall, type ToolCallResult } from './embed/public-dispatch.ts'
export type { DirEntry, EnvVarPolicy } from './agent/ports/execution-environment.ts'
export type {
  ExecExtras,
  ExecResult,
  ExecutionEnvironment,
  GrepOptions,
  HostEnvironment,
  RawAccess,
} from './embed/environments/environment-types.ts'
export { type ProfileId, type ProviderProfile, providerProfile, type SystemPromptContext } from './embed/provider-profiles.ts'
export { createLocalExecutionEnvironment } from './embed/environments/specified-environment.ts'
export type { ApprovalPolicy, SessionChange, SessionConfig } from './embed/session-config.ts'
export type { EventStamp, SessionEvent, StampedEvent } from './embed/session-events.ts'
export type { RegisteredTool, ToolDefinition, ToolExecutor, ToolRegistry } from './embed/tools/tool-types.ts'
export { DEFAULT_LINE_LIMITS, truncateToolOutput } from './embed/tools/truncation.ts'
export type {
  AssistantTurn,
  SteeringTurn,
  SystemTurn,
  ToolResultEntry,
  ToolResultsTurn,
  Turn,
  UserTurn,
} from './embed/conversation-types.ts'
export { loggingEnvironment } from './embed/environments/logging-environment.ts'
export { readOnlyEnvironment } from './embed/environments/read-only-environment.ts'
export type { OperationRecord } from './embed/environments/logging-environment.ts'
export {
  DEFAULT_CHAR_LIMITS,
  DEFAULT_TRUNCATION_MODES,
  type TruncationConfig,
  type TruncationMode,
} from './tools/truncation/truncation-limits.ts'
export { truncateChars, truncateLines } from './tools/truncation/truncate.ts'
export type { ContentPart } from '../shared/session/content.ts'
export type { RunState as SessionState } from '../shared/session/state.ts'

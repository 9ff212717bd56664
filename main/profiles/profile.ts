import type { SystemPromptContext } from '../prompt/layers.ts'
import type { ProjectDocumentName } from '../prompt/project-files.ts'

/** A family of models: what it is told and what it is given (P2-25, S-24). */
export interface ProviderProfile {
  readonly id: 'openai' | 'anthropic' | 'gemini'
  readonly displayName: string
  /** Empty: there is none, one must be named. */
  readonly defaultModel: string
  /** Canonical names, in the order in which the model gets them. Tools of other names that a session registers come after them (P2-36). */
  readonly toolNames: readonly string[]
  readonly supportsParallelToolCalls: boolean
  buildSystemPrompt(context: SystemPromptContext): string
  /** Names of project documents, AGENTS.md always among them. */
  readonly projectDocFiles: readonly ProjectDocumentName[]
  /** Milliseconds for a command that names no time limit (D-46). */
  readonly defaultCommandTimeout: number
  /** The same for tests, builds and installs. */
  readonly longCommandTimeout: number
}

/** The tools that come after each family's own, in this order. */
export const COMMON_NAMES = [
  'bash',
  'bash_output',
  'kill_shell',
  'read_output',
  'todo_write',
  'todo_read',
  'web_fetch',
  'web_search',
  'exit_plan_mode',
] as const

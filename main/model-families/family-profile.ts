import type { SystemPromptContext } from '../prompt/build-system-prompt.ts'
import type { ProjectDocumentName } from '../prompt/project-config-paths.ts'

/** The prompt, tools and defaults for a model family. */
export interface ProviderProfile {
  readonly id: 'openai' | 'anthropic' | 'gemini'
  readonly displayName: string
  /** If empty, there is no default model. */
  readonly defaultModel: string
  /** Canonical names, in the order in which the model gets them. Other tools that a session registers come after them. */
  readonly toolNames: readonly string[]
  readonly supportsParallelToolCalls: boolean
  buildSystemPrompt(context: SystemPromptContext): string
  /** Names of project documents; always includes AGENTS.md. */
  readonly projectDocFiles: readonly ProjectDocumentName[]
  /** Time limit in ms for commands whose call sets none. */
  readonly defaultCommandTimeout: number
  /** Time limit in ms for long commands (tests, builds and installs) whose call sets none. */
  readonly longCommandTimeout: number
}

import type { ProviderId } from '../../shared/session/content.ts'
import { countChangedLinesInSlices } from '../changes/count-changed-lines.ts'
import { profileForModel } from '../model-families/profile-for-model.ts'
import { findModel } from '../providers/catalogue/catalogue.ts'
import { createTools } from '../tools/create-tools.ts'
import { MAX_COMMAND_MS } from '../../shared/session/settings/session-config.ts'
import { createToolRegistry } from './tools/define-tool.ts'
import { registeredTool } from './public-dispatch.ts'
import type { ToolRegistry } from './tools/tool-types.ts'

export type ProfileId = 'openai' | 'anthropic' | 'gemini'

/** The inputs of a system prompt, in the shape that the specification defines. */
export interface SystemPromptContext {
  readonly platform: string
  readonly osVersion: string
  readonly workingDirectory: string
  /** Null if there is no repository. */
  readonly gitBranch: string | null
  /** The output of `git status --porcelain`. */
  readonly gitStatus: string | null
  /** One commit per line, newest first. */
  readonly gitLog: string | null
  readonly date: string
  readonly model: string
  readonly projectDocs: string
  readonly userInstruction: string | null
}

export interface ProviderProfile {
  readonly id: ProfileId
  readonly displayName: string
  /** Empty: there is no default. A model must be given. */
  readonly defaultModel: string
  readonly toolRegistry: ToolRegistry
  readonly supportsParallelToolCalls: boolean
  readonly buildSystemPrompt: (context: SystemPromptContext) => string
  readonly projectDocFiles: ReadonlyArray<string>
  /** Milliseconds. */
  readonly defaultCommandTimeout: number
}

/** The prompt and tools for a model family, with a new registry each time. `model` matters only for `openai-compatible`. */
export function providerProfile(provider: ProviderId, model?: string): ProviderProfile {
  const profile = profileForModel(provider, model)
  const { id, displayName, defaultModel, toolNames, supportsParallelToolCalls, projectDocFiles, defaultCommandTimeout } = profile
  const tools = createTools({ countLines: countChangedLinesInSlices })
  const offered = toolNames.flatMap((name) => tools.find(({ definition }) => definition.name === name) ?? [])
  const toolRegistry = createToolRegistry(offered.map(registeredTool))
  return {
    id,
    displayName,
    defaultModel,
    supportsParallelToolCalls,
    projectDocFiles,
    defaultCommandTimeout,
    toolRegistry,
    buildSystemPrompt: (context) =>
      profile.buildSystemPrompt({
        ...context,
        repository: context.gitBranch === null ? null : context.workingDirectory,
        git: context.gitBranch === null ? null : gitSnapshotOf(context.gitBranch, context),
        knowledge: findModel(provider, context.model)?.knowledge ?? null,
        tools: toolRegistry.list().map(({ definition }) => definition.name),
        memory: null,
        limits: {
          defaultCommandMs: defaultCommandTimeout,
          longCommandMs: profile.longCommandTimeout,
          maxCommandMs: MAX_COMMAND_MS,
        },
        // Approval is left to the host.
        approval: '',
        isSubagent: false,
        canonicalNames: true,
      }),
  }
}

function gitSnapshotOf(branch: string, { gitStatus, gitLog }: SystemPromptContext) {
  const entries = linesOf(gitStatus)
  const untracked = entries.filter((line) => line.startsWith('??')).length
  return { branch, changed: entries.length - untracked, untracked, commits: linesOf(gitLog) }
}

const linesOf = (text: string | null): readonly string[] => (text ?? '').split('\n').filter((line) => line.trim() !== '')

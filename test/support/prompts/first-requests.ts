import { APPROVAL_MODES, type ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { ParentLink } from '../../../shared/session/events.ts'
import type { ToolDefinition } from '../../../main/agent/ports/provider.ts'
import type { Subagents } from '../../../main/agent/ports/subagents.ts'
import type { ToolRegistry } from '../../../main/agent/ports/tool.ts'
import { AGENT_TYPES } from '../../../main/subagents/built-in-agents.ts'
import { countChangedLinesInSlices } from '../../../main/changes/count-changed-lines.ts'
import { leanProfile } from '../../../main/model-families/lean-profile.ts'
import { profileForModel } from '../../../main/model-families/profile-for-model.ts'
import { approvalText, toolsInCopies } from '../../../main/prompt/approval-text.ts'
import { createToolSets } from '../../../main/compose/tool-sets.ts'
import { createTools } from '../../../main/tools/create-tools.ts'
import { createSubagentTools } from '../../../main/tools/built-in/subagents.ts'

/** The first request to a model, built by the same functions as the real request. */
export interface FirstRequest {
  readonly name: string
  readonly provider: Provider
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  readonly message: string
  readonly registry: ToolRegistry
}

type Provider = Extract<ProviderId, 'anthropic' | 'openai' | 'gemini'>
export const PROVIDERS: readonly Provider[] = ['anthropic', 'openai', 'gemini']

const FACTS = {
  workingDirectory: '/home/dev/project',
  repository: '/home/dev/project',
  git: { branch: 'main', changed: 2, untracked: 1, commits: ['Fix the date parser', 'Initial commit'] },
  platform: 'linux',
  osVersion: '6.1',
  date: '2026-11-22',
  model: 'MODEL',
  knowledge: null,
}
const DOCUMENT = '<document path="AGENTS.md">\nUse tabs.\n</document>'
const USER_INSTRUCTION = 'Answer in German.'

/** The built-in agent types. Types from a project's files are presented to the model in the same way. */
const AGENTS = { types: () => AGENT_TYPES } as unknown as Subagents

/**
 * Returns the first request of a user's session in each mode, with and without somebody who can sign, with and without copies. Also returns
 * the first request of each type of subagent.
 */
export function firstRequests(provider: Provider): readonly FirstRequest[] {
  return [
    ...[true, false].flatMap((attended) => APPROVAL_MODES.map((mode) => sessionRequest(provider, mode, { attended }))),
    ...APPROVAL_MODES.filter((mode) => mode !== 'full').map((mode) => sessionRequest(provider, mode, { canCopy: false })),
    ...AGENT_TYPES.map((type) => subagentRequest(provider, type)),
  ]
}

/** Returns the request for a model with a small context window. */
export function leanRequest(provider: Provider): FirstRequest {
  return request('session, small window', provider, {
    mode: 'ask',
    attended: true,
    given: null,
    message: 'Fix the failing date test.',
    isSmall: true,
  })
}

function sessionRequest(provider: Provider, mode: ApprovalMode, { attended = true, canCopy = true }): FirstRequest {
  const name = `session, mode ${mode}${attended ? '' : ', nobody there to sign'}${canCopy ? '' : ', no copies'}`
  return request(name, provider, { mode, attended, canCopy, given: null, message: 'Fix the failing date test.' })
}

function subagentRequest(provider: Provider, { name, readsOnly, prompt }: (typeof AGENT_TYPES)[number]): FirstRequest {
  const message = `Find out why the date test fails.\n\n${prompt}`
  return request(`subagent ${name}`, provider, { mode: readsOnly ? 'plan' : 'ask', attended: true, given: { readsOnly }, message })
}

interface Situation {
  readonly mode: ApprovalMode
  readonly attended: boolean
  readonly given: Pick<ParentLink, 'readsOnly' | 'tools'> | null
  readonly message: string
  readonly isSmall?: boolean
  /** Whether commands run in copies of the folder. */
  readonly canCopy?: boolean
}

function request(
  name: string,
  provider: Provider,
  { mode, attended, given, message, isSmall = false, canCopy = true }: Situation,
): FirstRequest {
  const tools = createTools({ countLines: countChangedLinesInSlices })
  const own = given === null ? createSubagentTools(AGENTS) : []
  const { registry, limits } = createToolSets({ tools, own, given, commandLimitMs: () => undefined, isSmall: () => isSmall })({
    provider,
    model: '',
  })
  const names = registry.list().map(({ definition }) => definition.name)
  const presentPlan = names.includes('exit_plan_mode') ? 'exit_plan_mode' : null
  const whole = profileForModel(provider)
  const system = (isSmall ? leanProfile(whole) : whole).buildSystemPrompt({
    ...FACTS,
    tools: names,
    projectDocs: DOCUMENT,
    memory: 'Run the tests with `npm test`.',
    userInstruction: USER_INSTRUCTION,
    approval: approvalText(mode, { attended, presentPlan, inCopy: toolsInCopies(names, canCopy) }),
    limits,
    isSubagent: given !== null,
  })
  return { name, provider, system, tools: registry.definitions(), message, registry }
}

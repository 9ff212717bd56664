import type { SessionSummary } from '../../shared/api/sessions.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import type { Lease, SessionConfigured, Trouble, TurnLease } from '../../shared/session/events.ts'
import type { SessionConfig } from '../../shared/session/settings/session-config.ts'
import type { TurnLimits } from '../agent/loop.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { ModelOf } from '../agent/ports/model.ts'
import type { PreCompact } from '../agent/ports/pre-compact.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { AGENT_TYPES } from '../subagents/built-in-types.ts'
import { createBudget } from '../subagents/lease.ts'
import { withLimitedMoney } from '../subagents/limited-money.ts'
import { PLAN_ANSWER } from '../subagents/plan-answer.ts'
import { effectHash } from '../approval/effect-hash.ts'
import { placeFrom } from '../approval/place.ts'
import { captureFiles } from '../changes/capture.ts'
import { countChangedLines } from '../changes/line-counts.ts'
import { inFolder } from '../environment/in-folder.ts'
import type { Models, PromptParts } from './models.ts'
import type { Workbench } from '../sessions/opened-session.ts'
import { agentDocuments } from '../prompt/agent-documents.ts'
import { APPROVAL_MARK, approvalText } from '../prompt/approval-text.ts'
import { projectMemory } from '../prompt/project-memory.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { PersonsInstructions } from '../settings/instructions-file.ts'
import { familyOverspent, rootOf, sumIsKnown } from '../subagents/family-budget.ts'
import { type AgentText, type KnownTypes, knownTypes } from '../subagents/own-types.ts'
import { createSubagents, SUBAGENT_LIMITS } from '../subagents/subagents.ts'
import { createTurnBudget } from '../subagents/turn-budget.ts'
import type { Store } from '../store/store.ts'
import type { Terminals } from '../terminals/terminals.ts'
import { meantTools } from '../../shared/tools/catalogue.ts'
import { createSessionTools, createTools } from '../tools/create-tools.ts'
import { createShells } from '../tools/commands/shells.ts'
import { createSubagentTools } from '../tools/subagents.ts'
import { createToolboxes, type ToolChanges } from './tool-registries.ts'
import { truncateToolOutput } from '../tools/truncation/truncate.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** What the agent's commands see of their terminal before a window says otherwise. */
const TERMINAL = { columns: 120, rows: 30 } as const

/** Where hooks will have their word: there are none yet. */
const NOTHING_BEFORE_COMPACTION: PreCompact = () => Promise.resolve({ kind: 'allow', keep: [] })

export interface WorkbenchParts {
  readonly store: Store
  readonly clock: Clock
  readonly models: Models
  readonly workspaces: Workspaces
  /** Applied to what tools give back and to the prompt, which quotes the project's files. */
  readonly redactor: Redactor
  /** Null: commands run on pipes, since nobody can watch (DESIGN §5). */
  readonly terminals: Terminals | null
  /** Somebody sits before the sessions, who takes time to sign. */
  readonly isWatched: boolean
  /** Whether a folder's documents may be read; asked for each session that is opened. */
  isTrusted(folder: string): boolean
  limits(): TurnLimits
  /** What every session is told beside that (P2-08). */
  readonly told: SessionConfig
  /** Whether anybody can sign. */
  readonly attended: boolean
  /** What the person set for commands, in ms; undefined: nothing (D-46). */
  commandLimitMs(): number | undefined
  /** How many subagents that only read may be at work at once in a session (D-53). */
  readingSubagents(): number
  /** Where subagents get their sessions; asked when the first is needed. */
  sessions(): Sessions
  /** Files in which the person has written down kinds of subagents. */
  agentFiles(): readonly AgentText[]
  /** The person's instructions for every session: of the data folder, and of the settings. */
  instructionsFile(): Promise<PersonsInstructions>
  userInstructions(): string
  /** What a person's session may spend. */
  lease(): Lease
  /** What one of its turns may spend. */
  turnLease(): TurnLease
  /** What a host changed about the tools; left out: nothing. */
  readonly toolChanges?: (() => ToolChanges) | undefined
}

/** What one session works with: its folder, its tools, its model. The one place where the agent's ports get their parts. */
export function workbenchFor(parts: WorkbenchParts): (session: SessionSummary) => Promise<Result<Workbench, Trouble>> {
  return async (session) => {
    if (!parts.isTrusted(session.folder)) return failed(notTrusted(session.folder))
    const opened = await parts.workspaces.open(session.folder)
    if (!opened.ok) return opened
    const known = session.parent ? { types: AGENT_TYPES, troubles: [] } : await typesFor(parts, session.folder, opened.value)
    const instructions = await parts.instructionsFile()
    const troubles = instructions.trouble && !session.parent ? [...known.troubles, instructions.trouble] : known.troubles
    return ok(workbench(parts, session, opened.value, { ...known, troubles }, instructions.text))
  }
}

/** Those that the person has everywhere come before the project's. */
async function typesFor({ agentFiles }: WorkbenchParts, folder: string, { environment }: Workspace): Promise<KnownTypes> {
  return knownTypes([...agentFiles(), ...(await agentDocuments(environment, folder))], meantTools)
}

function workbench(
  parts: WorkbenchParts,
  session: SessionSummary,
  workspace: Workspace,
  { types, troubles }: KnownTypes,
  instructions: string,
): Workbench {
  const { store, clock, models, terminals } = parts
  const { environment: project, isDestructive } = workspace
  const folder = session.parent?.workingDir
  const env = folder === undefined ? project : inFolder(project, folder)
  const shells = createShells()
  const { blobs } = store
  const { sessionId, parent, startedAt } = session
  const count = { countLines: countChangedLines }
  const tools = createTools({ isDestructive, ...count, shells }).concat(
    createSessionTools({ ...count, canAsk: parts.isWatched && !parent }),
  )
  const lease = (): Lease => parent?.lease ?? parts.lease()
  const { told } = parts
  const limits = subagentLimits(parts)
  const agents = createSubagents({
    ...{ parent: session, store, sessions: parts.sessions, lease, limits, troubles, types: () => types },
  })
  const own = (parent?.depth ?? 0) < limits.depth ? createSubagentTools(agents) : []
  const traces = store.traces(sessionId)
  const toolboxOf = createToolboxes({
    ...{ tools, own, given: parent, isSmall: models.isSmall },
    ...{ commandLimitMs: parts.commandLimitMs, changes: parts.toolChanges },
  })
  const prompt = promptFacts(toolboxOf, parts, instructions)
  const truncation = { toolOutputLimits: told.toolOutputLimits ?? {}, toolLineLimits: told.toolLineLimits ?? {} }
  return {
    modelOf: withLimitedMoney({
      modelOf: withRedactedPrompt(models.modelIn(env, { project, ...prompt, isSubagent: parent !== null }), parts.redactor),
      isLimited: () => [lease(), parts.lease(), parts.turnLease()].some(({ costUsd }) => costUsd !== null),
      costIsKnown: models.costIsKnown,
      sumIsKnown: () => sumIsKnown(store, session),
    }),
    request: models.request,
    isWatched: parts.isWatched,
    limits: () => ({ ...parts.limits(), ...(parent && { maxRounds: 0, maxTurns: parent.lease.turns ?? 0 }) }),
    budget: createBudget({
      lease,
      startedAt,
      spentByOthers: agents.spent,
      family: () => parent && familyOverspent(store, parent, parts.lease),
      turn: createTurnBudget({ store, sessionId: rootOf(store, session), lease: parts.turnLease }),
      clock,
    }),
    news: agents.news,
    memory: async () => parts.redactor.text(await projectMemory(project)),
    preCompact: NOTHING_BEFORE_COMPACTION,
    ...(parent?.answer === 'plan' && { finalAnswer: PLAN_ANSWER }),
    toolboxOf,
    approval: { mark: APPROVAL_MARK, text: prompt.approval },
    workshop: {
      env,
      blobs,
      traces,
      clock,
      policy: workspace.policy,
      place: folder === undefined ? workspace.place : placeFrom(folder, workspace.place),
      exclusively: workspace.exclusively,
      effectHash,
      redactor: parts.redactor,
      openSpool: () => blobs.openSpool(),
      capture: (effects) => captureFiles({ env, blobs }, effects),
      truncate: (toolName, output, toolCallId, missing) => truncateToolOutput(output, toolName, truncation, toolCallId, missing),
      terminal: (toolCallId) => terminals && { ...TERMINAL, onOpen: (terminal) => terminals.offer({ sessionId, toolCallId }, terminal) },
    },
    isInUse: () => agents.isAtWork() || shells.isInUse(),
    close: () => tryAll(shells.close, workspace.close),
  }
}

/** What a prompt says of a session's tools and mode, and what its person wants said. */
function promptFacts(
  toolboxOf: ReturnType<typeof createToolboxes>,
  { attended, told, userInstructions }: WorkbenchParts,
  instructions: string,
): Pick<PromptParts, 'tools' | 'limits' | 'approval' | 'userInstructions'> {
  const tools = (config: SessionConfigured): readonly string[] =>
    toolboxOf(config)
      .registry.list()
      .map(({ definition }) => definition.name)
  return {
    tools,
    limits: (config) => toolboxOf(config).limits,
    userInstructions: () => [instructions, userInstructions(), told.userInstruction ?? ''],
    approval: (config) => {
      const presentPlan = tools(config).includes('exit_plan_mode') ? 'exit_plan_mode' : null
      return approvalText(config.mode, { attended, presentPlan })
    },
  }
}

function subagentLimits({ told, readingSubagents }: Pick<WorkbenchParts, 'told' | 'readingSubagents'>) {
  return {
    ...SUBAGENT_LIMITS,
    depth: told.maxSubagentDepth ?? SUBAGENT_LIMITS.depth,
    get reading() {
      return readingSubagents()
    },
  }
}

function withRedactedPrompt(modelOf: ModelOf, redactor: Redactor): ModelOf {
  return async (config) => {
    const found = await modelOf(config)
    if (!found.ok) return found
    const { systemPrompt } = found.value
    return ok({ ...found.value, systemPrompt: async (meanwhile) => redactor.text(await systemPrompt(meanwhile)) })
  }
}

function notTrusted(folder: string): Trouble {
  return {
    code: 'not_trusted',
    what: `${folder} is not trusted, so nothing works in it.`,
    kept: 'The session and all of its history.',
    todo: 'Open the folder and say that you trust it.',
  }
}

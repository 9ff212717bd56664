import { QUESTION_TOOL } from '../../shared/workflow/question.ts'
import { exitPlanModeSpec } from '../../shared/tools/built-in/exit-plan-mode.ts'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import type { Lease, TurnLease } from '../../shared/session/settings/budget-lease.ts'
import type { SessionConfig } from '../../shared/session/settings/session-config.ts'
import type { TurnLimits } from '../agent/loop.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { oneLook } from '../agent/one-look.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { ModelOf } from '../agent/ports/model.ts'
import type { Hooks } from '../agent/ports/hooks.ts'
import type { RunContext, Tool } from '../agent/ports/tool.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import type { ShownNotices } from '../sessions/shown-notices.ts'
import { AGENT_TYPES, PLAN_ANSWER } from '../subagents/built-in-agents.ts'
import { createBudget } from '../subagents/subagent-budget.ts'
import { refuseUnknownPrices } from '../subagents/refuse-unknown-prices.ts'
import { effectHash } from '../approval/effect-hash.ts'
import { pathFactsFrom } from '../approval/path-facts.ts'
import { environmentWithoutDenied, withoutDenied } from '../rules/denied-files.ts'
import { captureFiles } from '../changes/capture-files.ts'
import { createAmending } from '../changes/amending.ts'
import { createUndo, type Undo } from '../changes/undo/undo.ts'
import { readChanges } from '../changes/undo/read-changes.ts'
import { countChangedLinesInSlices } from '../changes/count-changed-lines.ts'
import { rebasedEnvironment } from '../environment/rebased-environment.ts'
import type { Models, PromptParts } from './models.ts'
import type { SessionRuntime } from '../sessions/running-place.ts'
import { profileForModel } from '../model-families/profile-for-model.ts'
import { APPROVAL_MARK, approvalText, speaksOfCopies, toolsInCopies } from '../prompt/approval-text.ts'
import { createFolderDocuments } from '../prompt/folder-documents.ts'
import { projectMemory } from '../prompt/project-memory.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { instructionsFor, type PersonInstructions } from '../settings/person-instructions.ts'
import { familyOverspent, rootOf, sumIsKnown } from '../subagents/family-budget.ts'
import { modelNamed } from '../providers/catalogue/catalogue.ts'
import type { AgentTypes } from './agent-types.ts'
import type { KnownAgentTypes } from '../subagents/known-agent-types.ts'
import { createSubagents, SUBAGENT_LIMITS } from '../subagents/subagents.ts'
import { createTurnBudget } from '../subagents/turn-budget.ts'
import type { Terminals } from '../terminals/terminals.ts'
import { createSessionTools, createTools } from '../tools/create-tools.ts'
import { createShells, type Shells } from '../tools/commands/session-shells.ts'
import type { KeepPlan } from '../tools/built-in/exit-plan-mode.ts'
import { createSlashCommandTool } from '../tools/built-in/slash-command.ts'
import { commandCalled, type SlashCommand } from '../slash-commands/slash-command.ts'
import type { SlashCommands } from '../slash-commands/slash-commands.ts'
import { createSubagentTools } from '../tools/built-in/subagents.ts'
import type { AgentChoices } from '../foreign-agents/agent-choices.ts'
import type { KnownAgent } from '../foreign-agents/known-agents.ts'
import { foreignRuntime, placeFor } from './session-places/foreign-session.ts'
import { copiesIn, comparedIn } from './folder-copies.ts'
import { bringInRuntime, bringsIn } from './session-places/session-place.ts'
import { appliedRules, policyFor, rulePlace, type RulesParts } from './session-rules.ts'
import type { McpServers } from '../mcp/servers.ts'
import { mcpServersIn, withLostTools, withMcpTools, withServersAfter } from './mcp-servers.ts'
import { createToolSets, type ToolChanges } from './tool-sets.ts'
import { truncateToolOutput } from '../tools/truncation/truncate.ts'
import { prepareCommands, type Workspace, type Workspaces } from '../workspace/workspaces.ts'

/** The size of a command's terminal until a window resizes it. */
const TERMINAL = { columns: 120, rows: 30 } as const

export interface RuntimeParts extends RulesParts {
  readonly clock: Clock
  readonly models: Models
  readonly workspaces: Workspaces
  /** Applied to tool results, and to the prompt because it quotes the project's files. */
  readonly redactor: Redactor
  /** Null if commands run on pipes, because nobody can watch. */
  readonly terminals: Terminals | null
  /** Whether a user is watching the sessions, so that a request may wait until the user signs it. */
  readonly isWatched: boolean
  /** Whether somebody answers questions. If nobody does, their default answers are used. */
  readonly takesQuestions: boolean
  readonly slashCommands: SlashCommands
  /** Returns the hooks of the user and of the trusted project for a session. */
  hooksFor(session: SessionSummary, workspace: Workspace): Promise<SessionHooks>
  /** Returns whether the user trusts a folder, whatever has changed in it since. */
  isTrusted(folder: string): boolean
  /** Whether the folder is trusted with its current configuration. */
  mayOpen(folder: string): Promise<boolean>
  limits(): TurnLimits
  /** Overrides for the configuration of every session. */
  readonly sessionConfig: SessionConfig
  /** Whether anybody can sign. */
  readonly attended: boolean
  /** Returns the user's time limit for commands, in ms. Undefined if not set. */
  commandLimitMs(): number | undefined
  /** Returns how many read-only subagents may work at the same time in a session. */
  readingSubagents(): number
  /** Returns the sessions in which subagents run. Called when the first subagent is needed. */
  sessions(): Sessions
  readonly agentTypes: AgentTypes
  /** Returns the user's instructions for every session, from the data folder and from the settings. */
  instructionsFile(): Promise<PersonInstructions>
  userInstructions(): string
  readonly writePlanFile: KeepPlan
  skipsSmallPlans(): boolean
  readonly shownNotices: ShownNotices
  /** Returns the budget of a user's session. */
  lease(): Lease
  /** Returns the budget of one turn of a user's session. */
  turnLease(): TurnLease
  readonly mcp: McpServers
  /** A third-party agent, by its id. Null if it is not known. */
  foreignAgent(id: string): KnownAgent | null
  /** What third-party agents offer, and what users have chosen. */
  readonly agentChoices: AgentChoices
  /** The changes that an embedding program made to the tools. */
  readonly toolChanges?: (() => ToolChanges) | undefined
}

/**
 * Builds everything that one session works with: its folder, its tools, its model. This is the only place that connects the agent's ports
 * to their implementations.
 */
export const runtimeFactory = (parts: RuntimeParts) => (session: SessionSummary) => oneLook(() => openRuntime(parts, session))

async function openRuntime(parts: RuntimeParts, session: SessionSummary): Promise<Result<SessionRuntime, Trouble>> {
  // A subagent relies on the trust with which its parent was opened, even if the folder's configuration has changed since.
  const mayOpen = session.parent ? parts.isTrusted(session.folder) : await parts.mayOpen(session.folder)
  if (!mayOpen) return failed(notTrusted(session.folder))
  const opened = await placeFor(parts, session)
  if (!opened.ok) return opened
  const { workspace, foreign } = opened.value
  const known = session.parent
    ? { types: AGENT_TYPES, troubles: [] }
    : await parts.agentTypes.forProject(workspace.folder, workspace.environment)
  if (!session.parent) parts.mcp.open(session.folder, { isLater: true })
  const [instructions, commands, hooks] = await Promise.all([
    parts.instructionsFile(),
    session.parent ? [] : commandsFor(parts, session.folder),
    parts.hooksFor(session, withoutDenied(workspace, appliedRules(parts, workspace.address, session))),
  ])
  const own = session.parent ? [] : [...(instructions.trouble ? [instructions.trouble] : []), ...hooks.troubles]
  const troubles = [...known.troubles, ...own]
  const runtime = createRuntime(
    parts,
    session,
    workspace,
    { ...known, troubles },
    {
      instructions,
      canCopy: async () => (await workspace.copies?.support())?.kind === 'present',
      isSandboxRequired: workspace.isSandboxRequired,
      isInLayer: workspace.inside !== null,
      commands,
      hooks: hooks.hooks,
    },
  )
  const canAsk = parts.takesQuestions && session.parent === null
  if (foreign) return ok(foreignRuntime(runtime, session, { ...parts, ...foreign, choices: parts.agentChoices, canAsk }))
  return ok(bringsIn(session) ? bringInRuntime(runtime, session, { ...parts, ...workspace }) : runtime)
}

/** Calls slash commands. */
function slashCommandTool({ slashCommands }: RuntimeParts, folder: string, { commands }: OpeningFacts): Tool {
  return createSlashCommandTool({ commands, find: commandCalled, text: (command, args) => slashCommands.text(folder, command, args) })
}

/** The slash commands that a model may call. */
async function commandsFor({ slashCommands }: RuntimeParts, folder: string): Promise<readonly SlashCommand[]> {
  const { commands } = await slashCommands.in(folder)
  return commands.filter(({ forModel }) => forModel)
}

function createRuntime(
  parts: RuntimeParts,
  session: SessionSummary,
  workspace: Workspace,
  { types, troubles }: KnownAgentTypes,
  openingFacts: OpeningFacts,
): SessionRuntime {
  const { store, clock, models } = parts
  const { environment: project } = workspace
  const folder = session.parent?.workingDir
  const { blobs } = store
  const env = folder === undefined ? project : rebasedEnvironment(project, folder)
  const shells = createShells()
  const rules = appliedRules(parts, workspace.address, session)
  const readable = environmentWithoutDenied(env, rules, rulePlace(workspace))
  const { sessionId, parent, startedAt } = session
  const slashCommands = slashCommandTool(parts, session.folder, openingFacts)
  const { tools, own } = builtInTools(parts, session, shells)
  const hasCommands = openingFacts.commands.length > 0
  const lease = (): Lease => parent?.lease ?? parts.lease()
  const limits = subagentLimits(parts)
  const agents = createSubagents({
    parent: session,
    store,
    sessions: parts.sessions,
    lease,
    limits,
    troubles,
    types: () => types,
    shownNotices: parts.shownNotices,
    layers: workspace.layers,
    modelNamed,
  })
  const subagentTools = (parent?.depth ?? 0) < limits.depth ? createSubagentTools(agents) : []
  const traces = store.traces(sessionId)
  const servers = mcpServersIn(workspace, parts.mcp)
  const toolSetFor = createToolSets({
    // Without commands the tool is not offered, but a model that knows it may call it.
    tools: hasCommands ? tools : [...tools, slashCommands],
    own: [...own, ...subagentTools, ...(hasCommands ? [slashCommands] : [])],
    given: parent,
    isSmall: models.isSmall,
    commandLimitMs: parts.commandLimitMs,
    changes: withMcpTools(servers.tools, parts.toolChanges),
  })
  const prompt = promptFacts(toolSetFor, parts, openingFacts)
  return {
    modelOf: refuseUnknownPrices({
      modelOf: withRedactedPrompt(models.modelIn(readable, { project, ...prompt, isSubagent: parent !== null }), parts.redactor),
      isLimited: () => [lease(), parts.lease(), parts.turnLease()].some(({ costUsd }) => costUsd !== null),
      costIsKnown: models.costIsKnown,
      sumIsKnown: () => sumIsKnown(store, session),
    }),
    request: session.parent ? models.request : withServersAfter(models.request, parts.mcp, session.folder),
    isWatched: parts.isWatched,
    proposesNotes: parts.isWatched && parent === null,
    limits: () => ({ ...parts.limits(), ...(parent && { maxRounds: 0, maxTurns: parent.lease.turns ?? 0 }) }),
    budget: createBudget({
      lease,
      startedAt,
      spentByOthers: agents.spent,
      family: () => parent && familyOverspent(store, parent, parts.lease),
      turn: createTurnBudget({ store, sessionId: rootOf(store, session), lease: parts.turnLease }),
      clock,
    }),
    news: withLostTools(agents.news, parts.mcp, session.folder),
    memory: async () => parts.redactor.text(await projectMemory(project)),
    ...(openingFacts.hooks && { hooks: { hooks: openingFacts.hooks, isSubagent: parent !== null } }),
    ...(parent?.answer === 'plan' && { finalAnswer: PLAN_ANSWER }),
    toolSetFor,
    approval: { mark: APPROVAL_MARK, text: prompt.approval },
    prepareCommands: ({ mode }, isFirst) => prepareCommands(workspace, mode, isFirst),
    dispatch: {
      blobs,
      traces,
      clock,
      effectHash,
      env: readable,
      policy: policyFor(parts, workspace, session),
      changeSince: (approvalId, path) => store.changeSince({ sessionId, approvalId }, path),
      place: folder === undefined ? workspace.place : pathFactsFrom(folder, workspace.place),
      exclusively: workspace.exclusively,
      folderDocuments: createFolderDocuments(
        readable,
        workspace.folder,
        (model) => profileForModel(model.provider, model.model).projectDocFiles,
      ),
      copies: copiesIn(workspace, { bash: shells.copied, blobs, rules }),
      ...(workspace.inside && { inLayer: workspace.inside }),
      amending: createAmending(blobs),
      redactor: parts.redactor,
      hooks: openingFacts.hooks ?? undefined,
      openSpool: () => blobs.openSpool(),
      capture: (effects) => captureFiles({ env, blobs, ...comparedIn(workspace) }, effects),
      truncate: (toolName, output, toolCallId, missing) => truncateToolOutput(output, toolName, truncationIn(parts), toolCallId, missing),
      terminal: (toolCallId) => terminalFor(parts, { sessionId, toolCallId }),
    },
    undo: undoIn(workspace, store, { env, sessionId }),
    // A subagent that has reported gets a new shell if it is asked again.
    isInUse: () => agents.isAtWork() || (parent ? shells.hasBackground() : shells.isInUse()),
    close: () => tryAll(async () => openingFacts.hooks?.close(), shells.close, servers.close, workspace.close),
  }
}

/** The pty of a command. Null if commands run on pipes. */
function terminalFor({ terminals, isWatched }: RuntimeParts, of: Parameters<Terminals['offer']>[0]): RunContext['terminal'] {
  return terminals && { ...TERMINAL, isUnattended: !isWatched, onOpen: (terminal) => terminals.offer(of, terminal) }
}

/** `own`: tools that are offered in addition to the profile's tools. */
function builtInTools(
  { takesQuestions, writePlanFile, skipsSmallPlans }: RuntimeParts,
  { parent }: SessionSummary,
  shells: Shells,
): { readonly tools: readonly Tool[]; readonly own: readonly Tool[] } {
  const count = { countLines: countChangedLinesInSlices }
  const canAsk = takesQuestions && !parent
  const made = createSessionTools({ ...count, canAsk })
  // If nobody answers questions, the tool is not offered. A model that knows the tool from elsewhere can still call it. The result says
  // that nobody answers.
  const own = made.filter(({ definition }) => canAsk && definition.name === QUESTION_TOOL)
  return {
    tools: [...createTools({ ...count, shells, writePlanFile, skipsSmallPlans }), ...made.filter((tool) => !own.includes(tool))],
    own,
  }
}

interface SessionHooks {
  /** Null if there are none. */
  readonly hooks: Hooks | null
  /** Warnings about hooks that do not run. */
  readonly troubles: readonly Trouble[]
}

const undoIn = (
  { exclusively, copies }: Workspace,
  store: RuntimeParts['store'],
  { env, sessionId }: { readonly env: ExecutionEnvironment; readonly sessionId: SessionId },
): Undo =>
  createUndo({
    env,
    blobs: store.blobs,
    exclusively,
    changes: () => readChanges(store, sessionId),
    sign: (files) => copies?.sign(files),
    changeAfter: (seq, path) => store.changeAfter({ sessionId, seq }, path),
  })

const truncationIn = ({ sessionConfig: { toolOutputLimits = {}, toolLineLimits = {} } }: Pick<RuntimeParts, 'sessionConfig'>) => ({
  toolOutputLimits,
  toolLineLimits,
})

/**
 * Facts for the model that are determined when the session opens. `canCopy`: whether commands can run in copies of the folder, known from a
 * trial run.
 */
interface OpeningFacts {
  readonly instructions: PersonInstructions
  readonly canCopy: () => Promise<boolean>
  /** Whether commands must not run for real. */
  readonly isSandboxRequired: boolean
  /** Whether the session works in a layer in which its commands run. */
  readonly isInLayer: boolean
  readonly commands: readonly SlashCommand[]
  /** Null if there are none. */
  readonly hooks: Hooks | null
}

/** The parts of the prompt about the session's tools and mode, and the user's instructions. */
function promptFacts(
  toolSetFor: ReturnType<typeof createToolSets>,
  { attended, sessionConfig, userInstructions }: RuntimeParts,
  { instructions, canCopy, isSandboxRequired, isInLayer }: OpeningFacts,
): Pick<PromptParts, 'tools' | 'limits' | 'approval' | 'userInstructions'> {
  const tools = (config: SessionConfigured): readonly string[] =>
    toolSetFor(config)
      .registry.list()
      .map(({ definition }) => definition.name)
  return {
    tools,
    limits: (config) => toolSetFor(config).limits,
    userInstructions: ({ provider, model }) => [
      ...instructionsFor(instructions, profileForModel(provider, model).projectDocFiles),
      userInstructions(),
      sessionConfig.userInstruction ?? '',
    ],
    approval: async (config) => {
      const names = tools(config)
      const presentPlan = names.includes(exitPlanModeSpec.name) ? exitPlanModeSpec.name : null
      const inCopy = speaksOfCopies(config.mode, isSandboxRequired) ? toolsInCopies(names, await canCopy()) : null
      return approvalText(config.mode, { attended, presentPlan, inCopy, isSandboxRequired, isInLayer })
    },
  }
}

function subagentLimits({ sessionConfig, readingSubagents }: Pick<RuntimeParts, 'sessionConfig' | 'readingSubagents'>) {
  return {
    ...SUBAGENT_LIMITS,
    depth: sessionConfig.maxSubagentDepth ?? SUBAGENT_LIMITS.depth,
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
    return ok({
      ...found.value,
      systemPrompt: async (meanwhile, warn) => redactor.text(await oneLook(() => systemPrompt(meanwhile, warn))),
    })
  }
}

function notTrusted(folder: string): Trouble {
  return {
    code: 'not_trusted',
    what: `${folder} is not trusted, or its configuration has changed since you trusted it, so the agent cannot work in it.`,
    kept: 'The session and its history are unchanged.',
    todo: 'Open the folder, look at what it would load, and decide whether you trust it.',
  }
}

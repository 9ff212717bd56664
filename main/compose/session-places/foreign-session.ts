import { join } from 'node:path'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { NO_USAGE, tokensOf, type Usage } from '../../../shared/session/content.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { tryAll } from '../../../shared/lib/try-all.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { bringInChanges, endBringIn } from '../../layers/bring-in-session.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { createToolRegistry } from '../../agent/tool-registry.ts'
import type { Budget, Overspent } from '../../agent/ports/budget.ts'
import { removeBeforeTurn } from '../../layers/remove-refused.ts'
import type { SessionRuntime } from '../../sessions/running-place.ts'
import type { Store } from '../../store/store.ts'
import { type AgentChoices, refusedAtStart } from '../../foreign-agents/agent-choices.ts'
import { AGENT_SESSION_MARKER } from '../../foreign-agents/agent-log.ts'
import { createAgentModel } from '../../foreign-agents/agent-model.ts'
import { createAgentQuestions } from '../../foreign-agents/agent-questions.ts'
import { createAgentSteps } from '../../foreign-agents/agent-steps.ts'
import { watchSettings } from '../../foreign-agents/changed-settings.ts'
import { createLeftCommands } from '../../foreign-agents/left-commands.ts'
import { createModelRequests } from '../../foreign-agents/model-requests.ts'
import { type ForeignPlace, foreignPlace } from '../../foreign-agents/foreign-place.ts'
import { agentIdOf, type KnownAgent, notConfined, unknownAgent } from '../../foreign-agents/known-agents.ts'
import { createAgentStepTool } from '../../tools/built-in/agent-step.ts'
import type { Workspace, Workspaces } from '../../workspace/workspaces.ts'
import { runningAgent } from './running-agent.ts'
import { openPlace } from './session-place.ts'

export interface ForeignRuntimeParts {
  readonly agent: KnownAgent
  readonly place: ForeignPlace
  readonly store: Pick<Store, 'sessions' | 'blobs' | 'changeInFolder' | 'eventsAfter' | 'log'>
  readonly workspaces: Workspaces
  readonly choices: AgentChoices
  /** Whether a user is there who can be asked to sign. */
  readonly isWatched: boolean
  /** Whether the user can answer the agent's questions. */
  readonly canAsk: boolean
  sessions(): Sessions
}

/** The runtime of a session in whose layer a third-party agent works. */
export function foreignRuntime(
  runtime: SessionRuntime,
  session: SessionSummary,
  { agent, place, store, workspaces, choices, canAsk, isWatched, sessions }: ForeignRuntimeParts,
): SessionRuntime {
  const { sessionId } = session
  const steps = createAgentSteps()
  const closing = new AbortController()
  const bringIn = () => ({ sessions: sessions(), store, workspaces })
  const questions = createAgentQuestions({ canAsk })
  const settings = watchSettings(agent.name, agent.settings, place.environment)
  const spending = spendingOf(runtime.budget, () => void model.stop())
  const commands = createLeftCommands(place.environment, sessionId)
  const requests = createModelRequests({
    steps,
    comparison: place.comparison,
    isOwn: place.isOwn,
    heardAll: () => running.heardAll(),
    isSpent: spending.isSpent,
    onRefused: () => void model.stop(),
  })
  const troubles: Trouble[] = []
  let hasSteps = false
  const running = runningAgent({
    agent,
    place,
    steps,
    traffic: requests,
    sessionId,
    resume: () => store.sessions.markers(sessionId).get(AGENT_SESSION_MARKER) ?? null,
    onStart(started) {
      // The agent can also be started in the middle of a turn, after a crash.
      commands.begin()
      store.sessions.mark(sessionId, AGENT_SESSION_MARKER, started.sessionId)
      return choices.running(sessionId, started.choose)
    },
    onRefused: (refused) => troubles.push(...refused.map((one) => refusedAtStart(agent.name, one))),
    chosen: () => choices.chosen(sessionId),
    onSignIns: (signIns) => choices.keepSignIns(agent.id, signIns),
    onOffers: (offers) => choices.keep(sessionId, agent.id, offers),
  })
  const model = createAgentModel({
    name: agent.name,
    signIn: agent.signIn,
    steps,
    questions,
    connect: running.connect,
    drop: running.drop,
    endCommands: commands.end,
    async onTurn() {
      requests.begin()
      place.asked.begin()
      hasSteps = false
      await settings.begin()
      commands.begin()
      await place.comparison.restart()
    },
    async afterTurn(isComplete) {
      // A turn without steps is never signed, so the request would have no place for its hosts.
      if (isComplete && !hasSteps) place.asked.forget()
      const trouble = await settings.changed()
      if (trouble) troubles.push(trouble)
    },
    takeTroubles: () => troubles.splice(0),
    hasMore: async () => (await place.comparison.hasMore()) || (hasSteps && place.asked.hasOthers()),
    modelRequests: requests.made,
    newTokens: () => spending.counted(requests.newTokens()),
    isOutOfBudget: requests.takeRefusal,
  })
  const registry = createToolRegistry([
    questions.tool,
    createAgentStepTool({
      agent: agent.name,
      steps,
      takeHosts: place.asked.take,
      stop: model.stop,
      onEnd(step) {
        hasSteps = true
        const isOfStep = (path: string): boolean => steps.isChangedBy(step, join(place.folder, path))
        place.comparison.decide(step, isOfStep, () => steps.read(step))
        return steps.readAt(step)
      },
    }),
  ])
  const { approval: _, news: __, memory: ___, budget, ...kept } = runtime
  return {
    ...kept,
    undo: undoThen(kept.undo, async () => {
      // An open request is outdated after the undo. If it cannot be withdrawn, the undo is still done.
      await endBringIn(bringIn(), sessionId, 'undo', closing.signal).catch(() => {})
      if (isWatched) void bringInChanges(bringIn(), sessionId, closing.signal).catch(() => {})
    }),
    async beforeTurn(record, signal) {
      await endBringIn(bringIn(), sessionId, 'next-turn', signal)
      const trouble = await removeBeforeTurn({ store, workspaces }, session, (decide) => kept.undo.carryOut(record, decide, true))
      if (trouble !== null) record.append({ kind: 'WARNING', trouble })
    },
    // The agent has limits of its own for a turn. Only the budget stops it.
    limits: () => ({ ...runtime.limits(), maxRounds: 0, compactAt: 0, detectLoops: false }),
    ...(budget && { budget: { overspent: spending.overspent } }),
    modelOf: model.modelOf,
    request: model.request,
    toolSetFor: (config) => ({ ...runtime.toolSetFor(config), registry }),
    dispatch: {
      ...runtime.dispatch,
      // The agent has already done the step, in the layer.
      policy: {
        ...runtime.dispatch.policy,
        judge: (effects, mode) => runtime.dispatch.policy.judge(effects, mode === 'plan' ? 'ask' : mode),
      },
    },
    close() {
      closing.abort()
      return tryAll(running.close, runtime.close)
    },
  }
}

/**
 * Checks a session's budget between two of its rounds, and before each request of its agent to the model. Calls `onOverspent` if a check
 * between rounds finds that the budget is used up.
 */
function spendingOf(budget: Budget | undefined, onOverspent: () => void) {
  /** The usage in the log. */
  let logged: Parameters<Budget['overspent']>[0] = { usage: NO_USAGE, costUsd: null }
  let countedBy: NonNullable<Overspent['countedBy']> = 'agent'
  return {
    overspent(state: typeof logged): Overspent | null {
      logged = state
      const found = budget?.overspent(state) ?? null
      if (found) onOverspent()
      return found && (found.reason === 'time' ? found : { ...found, countedBy })
    },
    isSpent: (unlogged: Usage): boolean => (budget?.overspent(logged, tokensOf(unlogged)) ?? null) !== null,
    /** Remembers that the proxy counts the tokens. */
    counted(tokens: Usage | null): Usage | null {
      if (tokens !== null) countedBy = 'proxy'
      return tokens
    },
  }
}

/** Calls `onDone` after each undo that was carried out. */
function undoThen(undo: SessionRuntime['undo'], onDone: () => Promise<void>): SessionRuntime['undo'] {
  return {
    ...undo,
    async run(record, request, conversation) {
      const outcome = await undo.run(record, request, conversation)
      if (outcome.kind === 'done') await onDone()
      return outcome
    },
  }
}

/** The third-party agent that works in the session. Null for Countersign's own agent. */
function agentOf({ foreignAgent }: PlaceParts, { config }: SessionSummary): Result<KnownAgent | null, Trouble> {
  const id = agentIdOf(config)
  const agent = id === null ? null : foreignAgent(id)
  return id !== null && agent === null ? failed(unknownAgent(id, null)) : ok(agent)
}

interface PlaceParts {
  readonly store: Store
  readonly workspaces: Workspaces
  /** A third-party agent, by its id. Null if it is not known. */
  foreignAgent(id: string): KnownAgent | null
}

interface PlaceOfSession {
  readonly workspace: Workspace
  /** Null for Countersign's own agent. */
  readonly foreign: { readonly agent: KnownAgent; readonly place: ForeignPlace } | null
}

/** Opens the place where a session works, and finds the agent that works there. */
export async function placeFor(parts: PlaceParts, session: SessionSummary): Promise<Result<PlaceOfSession, Trouble>> {
  const found = agentOf(parts, session)
  if (!found.ok) return found
  const agent = found.value
  const opened = await openPlace(parts, session)
  if (!opened.ok) return opened
  if (agent === null) return ok({ workspace: opened.value, foreign: null })
  const place = foreignPlace(opened.value, agent)
  if (place) return ok({ workspace: place, foreign: { agent, place } })
  await opened.value.close()
  return failed(notConfined(agent))
}

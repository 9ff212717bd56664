import { join } from 'node:path'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { NO_USAGE, tokensOf, type Usage } from '../../../shared/session/content.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { tryAll } from '../../../shared/lib/try-all.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { ForeignAgent } from '../../agent/ports/foreign-agent.ts'
import { createToolRegistry } from '../../agent/tool-registry.ts'
import { launchEnvironment } from '../../environment/launch-environment.ts'
import type { Budget, Overspent } from '../../agent/ports/budget.ts'
import type { SessionRuntime } from '../../sessions/running-place.ts'
import type { Store } from '../../store/store.ts'
import { createAgentModel } from '../../foreign-agents/agent-model.ts'
import { createAgentSteps } from '../../foreign-agents/agent-steps.ts'
import { watchSettings } from '../../foreign-agents/changed-settings.ts'
import { createModelRequests } from '../../foreign-agents/model-requests.ts'
import { type ForeignPlace, foreignPlace } from '../../foreign-agents/foreign-place.ts'
import { agentIdOf, type KnownAgent, notConfined, unknownAgent } from '../../foreign-agents/known-agents.ts'
import { createAgentStepTool } from '../../tools/built-in/agent-step.ts'
import type { Workspace, Workspaces } from '../../workspace/workspaces.ts'
import { VERSION } from '../../version.ts'
import { openPlace } from './session-place.ts'

/** Marks a session with the agent's own session id, with which the agent reopens it after a restart. */
const AGENT_SESSION_MARKER = 'agent-session'

/** Maximum time in ms that a permission request waits for earlier steps. Such a step may itself wait for the answer, as a subagent's does. */
const QUESTION_MS = 1_500

export interface ForeignRuntimeParts {
  readonly agent: KnownAgent
  readonly place: ForeignPlace
  readonly store: Pick<Store, 'sessions'>
}

/** The runtime of a session in whose layer a third-party agent works. */
export function foreignRuntime(
  runtime: SessionRuntime,
  { sessionId }: SessionSummary,
  { agent, place, store }: ForeignRuntimeParts,
): SessionRuntime {
  const steps = createAgentSteps()
  const settings = watchSettings(agent.name, agent.settings, place.environment)
  const closing = new AbortController()
  const spending = spendingOf(runtime.budget)
  const requests = createModelRequests({
    steps,
    comparison: place.comparison,
    isOwn: place.isOwn,
    heardAll: () => heardAll(place, () => running !== null && !closing.signal.aborted),
    isSpent: spending.isSpent,
    onRefused: () => void model.stop(),
  })
  let running: ForeignAgent | null = null
  /** The current start. It goes on when the turn is stopped, and the next turn uses its agent. */
  let starting: Promise<Result<ForeignAgent, string>> | null = null

  const start = async (): Promise<Result<ForeignAgent, string>> => {
    const { file, args, env, variables, ports } = agent
    if (file === null) return failed(notFound(agent))
    closing.signal.addEventListener('abort', place.inside.watch(requests).dispose, { once: true })
    for (const port of ports) await place.inside.forward(port)
    const { connectAgent } = await import('../../foreign-agents/protocol/connect-agent.ts')
    closing.signal.throwIfAborted()
    const envVars = { ...passedOn(variables), NODE_USE_ENV_PROXY: '1', ...env }
    const program = await place.environment.open([file, ...args], { envVars, signal: closing.signal })
    return connectAgent({
      program,
      version: VERSION,
      cwd: place.folder,
      resume: store.sessions.markers(sessionId).get(AGENT_SESSION_MARKER) ?? null,
      modes: agent.modes,
      async beforeCall(callId) {
        const overdue = Promise.withResolvers<void>()
        const timer = setTimeout(overdue.resolve, QUESTION_MS)
        await Promise.race([steps.begun(callId), overdue.promise])
        clearTimeout(timer)
      },
    })
  }
  const connected = async (): Promise<Result<ForeignAgent, string>> => {
    closing.signal.throwIfAborted()
    await place.openHosts()
    if (running) return ok(running)
    const result = await start()
    if (!result.ok) return result
    const started = result.value
    running = started
    void started.ended.then(() => {
      if (running === started) running = null
    })
    store.sessions.mark(sessionId, AGENT_SESSION_MARKER, started.sessionId)
    return result
  }
  const connect = async (): Promise<Result<ForeignAgent, string>> => {
    try {
      return await connected()
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error))
    } finally {
      starting = null
    }
  }
  const model = createAgentModel({
    name: agent.name,
    steps,
    connect: () => (starting ??= connect()),
    async drop() {
      const lost = running
      running = null
      await lost?.close()
    },
    async onTurn() {
      requests.begin()
      await settings.begin()
      await place.comparison.restart()
    },
    afterTurn: settings.changed,
    hasMoreChanges: () => place.comparison.hasMore(),
    newTokens: () => spending.counted(requests.newTokens()),
    isOutOfBudget: requests.hasRefused,
  })
  const registry = createToolRegistry([
    createAgentStepTool({
      agent: agent.name,
      steps,
      stop: model.stop,
      onEnd(step) {
        const isOfStep = (path: string): boolean => steps.isChangedBy(step, join(place.folder, path))
        place.comparison.decide(step, isOfStep, () => steps.read(step))
        return steps.readAt(step)
      },
    }),
  ])
  const closeAgent = async (): Promise<void> => {
    closing.abort(new Error('The session was closed.'))
    await starting
    await running?.close()
  }
  const { approval: _, news: __, memory: ___, budget, ...kept } = runtime
  return {
    ...kept,
    // The agent has limits of its own for a turn. Only the budget stops it.
    limits: () => ({ ...runtime.limits(), maxRounds: 0, compactAt: 0, detectLoops: false }),
    ...(budget && {
      budget: {
        overspent(state) {
          const overspent = spending.overspent(state)
          if (overspent) void model.stop()
          return overspent
        },
      },
    }),
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
    close: () => tryAll(closeAgent, runtime.close),
  }
}

/** Checks the budget of a session between its rounds, and before each request that its agent makes to its model. */
function spendingOf(budget: Budget | undefined) {
  /** What is in the log. */
  let logged: Parameters<Budget['overspent']>[0] = { usage: NO_USAGE, costUsd: null }
  let countedBy: NonNullable<Overspent['countedBy']> = 'agent'
  return {
    overspent(state: typeof logged): Overspent | null {
      logged = state
      const found = budget?.overspent(state) ?? null
      return found && (found.reason === 'time' ? found : { ...found, countedBy })
    },
    isSpent: (unlogged: Usage): boolean => (budget?.overspent(logged, tokensOf(unlogged)) ?? null) !== null,
    /** Remembers that tokens were counted. */
    counted(tokens: Usage | null): Usage | null {
      if (tokens !== null) countedBy = 'proxy'
      return tokens
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

function passedOn(names: readonly string[]): Readonly<Record<string, string>> {
  const all = launchEnvironment()
  return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

/**
 * The agent's reports take the same way as the answers of the layer's host process. After two answers, it has passed on everything that an
 * agent had written when the first was asked for, and the connection has read it. A question to an ended host process would start it again.
 */
async function heardAll({ environment, folder }: ForeignPlace, isRunning: () => boolean): Promise<void> {
  for (let answers = 0; answers < 2 && isRunning(); answers++) {
    await environment.fileExists(folder).catch(() => false)
    await new Promise(setImmediate)
  }
}

const notFound = ({ program, install }: KnownAgent): string =>
  install === ''
    ? `The program ${program} was not found. Check its command in agents.json in the data folder.`
    : `The program ${program} was not found. Install it with: ${install}`

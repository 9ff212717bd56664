import type { AgentOffers } from '../../../shared/agents/agent-offers.ts'
import type { SignIn } from '../../../shared/agents/other-agents-api.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { TrafficWatch } from '../../agent/ports/command-copies.ts'
import type { AgentFailure, ForeignAgent, RefusedChoice } from '../../agent/ports/foreign-agent.ts'
import { launchEnvironment } from '../../environment/launch-environment.ts'
import { within } from '../../agent/abortable.ts'
import type { AgentSteps } from '../../foreign-agents/agent-steps.ts'
import type { ForeignPlace } from '../../foreign-agents/foreign-place.ts'
import type { KnownAgent } from '../../foreign-agents/known-agents.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { AGENT_VARIABLE } from '../../foreign-agents/left-commands.ts'
import { VERSION } from '../../version.ts'

/**
 * Maximum time in ms that a permission request waits for earlier steps. Such a step may itself wait for the answer, as a subagent's does.
 */
const QUESTION_MS = 1_500

export interface RunningAgentParts {
  readonly agent: KnownAgent
  readonly place: ForeignPlace
  readonly steps: Pick<AgentSteps, 'begun' | 'asked'>
  readonly traffic: TrafficWatch
  readonly sessionId: SessionId
  /** The agent's own id of the session to reopen. Null for a new session. */
  resume(): string | null
  /** Called when the agent has started. The result is disposed when the agent has ended. */
  onStart(agent: ForeignAgent): Disposable
  /** Called when an agent has started, with the values that were set but are not in force. */
  onRefused(refused: readonly RefusedChoice[]): void
  chosen(): Readonly<Record<string, string>>
  onOffers(offers: AgentOffers): void
  onSignIns(signIns: readonly SignIn[]): void
}

/** The program of a session's agent. It starts when it is needed. */
export interface RunningAgent {
  /** Returns the running agent, and starts it if necessary. */
  connect(): Promise<Result<ForeignAgent, AgentFailure>>
  /** Ends the agent, so that the next `connect` starts it again. */
  drop(): Promise<void>
  /** Resolves when everything that the agent reported before the call has been processed. */
  heardAll(): Promise<void>
  /** Ends the agent for good. */
  close(): Promise<void>
}

export function runningAgent({
  agent,
  place,
  steps,
  traffic,
  sessionId,
  resume,
  onStart,
  onRefused,
  chosen,
  onOffers,
  onSignIns,
}: RunningAgentParts): RunningAgent {
  const closing = new AbortController()
  let running: ForeignAgent | null = null
  /** The current start. It goes on when the turn is stopped, and the next turn uses its agent. */
  let starting: Promise<Result<ForeignAgent, AgentFailure>> | null = null

  const start = async (choices: Readonly<Record<string, string>>): Promise<Result<ForeignAgent, AgentFailure>> => {
    const { file, args, env, variables, ports } = agent
    if (file === null) return failed({ why: notFound(agent) })
    closing.signal.addEventListener('abort', place.inside.watch(traffic).dispose, { once: true })
    // An agent does nothing before it is asked, so it starts at the same time.
    const forwarded = Promise.all(ports.map((port) => place.inside.forward(port)))
    forwarded.catch(() => {})
    const { connectAgent } = await import('../../foreign-agents/protocol/connect-agent.ts')
    closing.signal.throwIfAborted()
    const envVars = { ...passedOn(variables), ...env, [AGENT_VARIABLE]: sessionId }
    const program = await place.environment.open([file, ...args], { envVars, signal: closing.signal })
    await forwarded.catch(async (error: unknown) => {
      await program.kill()
      throw error
    })
    return connectAgent({
      program,
      version: VERSION,
      invocation: [file, ...args],
      cwd: place.folder,
      resume: resume(),
      modes: agent.modes,
      chosen: choices,
      onOffers,
      onSignIns,
      beforeCall: (callId) => steps.asked(within(steps.begun(callId), QUESTION_MS)),
    })
  }
  const connected = async (): Promise<Result<ForeignAgent, AgentFailure>> => {
    closing.signal.throwIfAborted()
    await place.openHosts()
    if (running) return ok(running)
    const choices = chosen()
    const result = await start(choices)
    if (!result.ok) return result
    const started = result.value
    running = started
    const connected = onStart(started)
    const madeMeanwhile = Object.entries(chosen()).filter(([id, value]) => choices[id] !== value)
    const answers: (RefusedChoice | null)[] = []
    for (const [id, value] of madeMeanwhile) answers.push(await started.choose(id, value))
    onRefused([...started.refused, ...answers.filter((answer) => answer !== null)])
    void started.ended.then(() => {
      connected.dispose()
      if (running === started) running = null
    })
    return result
  }
  const connect = async (): Promise<Result<ForeignAgent, AgentFailure>> => {
    try {
      return await connected()
    } catch (error) {
      return failed({ why: error instanceof Error ? error.message : String(error) })
    } finally {
      starting = null
    }
  }
  return {
    connect: () => (starting ??= connect()),
    async drop() {
      const lost = running
      running = null
      await lost?.close()
    },
    // The agent's reports arrive over the same connection as the answers of the layer's host process. After two answers, everything that
    // the agent had written before the first question has arrived and was read. A question to an ended host process would start it again.
    async heardAll() {
      for (let answers = 0; answers < 2 && running !== null && !closing.signal.aborted; answers++) {
        await place.environment.fileExists(place.folder).catch(() => false)
        await new Promise(setImmediate)
      }
    },
    async close() {
      closing.abort(new Error('The session was closed.'))
      await starting
      await running?.close()
    },
  }
}

function passedOn(names: readonly string[]): Readonly<Record<string, string>> {
  const all = launchEnvironment()
  return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

const notFound = ({ program, install }: KnownAgent): string =>
  install === ''
    ? `The program ${program} was not found. Check its command in agents.json in the data folder.`
    : `The program ${program} was not found. Install it with: ${install}`

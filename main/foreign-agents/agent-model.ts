import { AGENT_SIGN_IN } from '../../shared/agents/other-agents-api.ts'
import { ok, type Result } from '../../shared/lib/result.ts'
import { type ContentPart, NO_USAGE, type ToolCallPart, type Usage } from '../../shared/session/content.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { agentStepSpec } from '../../shared/tools/built-in/agent-step.ts'
import type { AgentFailure, AgentPrompt, AgentUsage, ForeignAgent } from '../agent/ports/foreign-agent.ts'
import type { Model, ModelOf, RequestWithRetries } from '../agent/ports/model.ts'
import type { FailureCode, ModelAnswer, ProviderEvent } from '../agent/ports/provider.ts'
import { createMessages, messageFor } from './agent-messages.ts'
import type { AgentQuestions } from './agent-questions.ts'
import type { AgentStep, AgentSteps } from './agent-steps.ts'
import { endedTurn, type RunningTurn, runningTurn, type Waiting } from './running-turn.ts'

export interface AgentModelParts {
  /** The name of the agent. */
  readonly name: string
  /** The command that signs in to its account. Empty if it is not known. */
  readonly signIn: string
  readonly steps: AgentSteps
  readonly questions: Pick<AgentQuestions, 'begin' | 'declineRest'>
  /** Returns the running agent, and starts it if necessary. A failure is a sentence. */
  connect(): Promise<Result<ForeignAgent, AgentFailure>>
  /** Ends the agent, so that the next `connect` starts it again. */
  drop(): Promise<void>
  /** Called after a stopped turn. Ends the commands that the agent has left running. */
  endCommands(): Promise<void>
  /** Called before a turn. Earlier changes in the layer belong to no step. */
  onTurn(): Promise<void>
  /** Called after a turn. `isComplete`: whether the agent has ended it itself. */
  afterTurn(isComplete: boolean): Promise<void>
  /** Warnings for the user since the last call. Those of a stopped turn come with the next message. */
  takeTroubles(): readonly Trouble[]
  /** Whether something has changed in the layer, or asked for a host, since the last step. */
  hasMore(): Promise<boolean>
  /** The number of requests that the agent has made to its model so far. */
  modelRequests(): number
  /** The tokens that the proxy has read in the answers of the agent's model since the last call. Null if there are none. */
  newTokens(): Usage | null
  /** Whether a model request of this turn was refused since the last call because a budget is used up. */
  isOutOfBudget(): boolean
}

export interface AgentModel {
  readonly modelOf: ModelOf
  readonly request: RequestWithRetries
  /** Stops the agent's turn. Resolves when it has stopped. */
  stop(): Promise<void>
}

/**
 * Lets a third-party agent answer as a model does. A turn of the agent becomes several rounds: each of its calls ends an answer, and runs
 * as a step that waits for the agent. So the log, undo, blame and limits work as for Countersign's own agent.
 */
export function createAgentModel(parts: AgentModelParts): AgentModel {
  const messagesOf = createMessages()
  let turn: RunningTurn | null = null
  /** Messages for the agent's next turn. They came while the agent worked, or could not be started. */
  let later: readonly AgentPrompt[] = []
  // After a restart, the agent may work in another mode. The user is told so before the agent's next text or step.
  const told = (): readonly ProviderEvent[] => parts.takeTroubles().map((trouble) => ({ kind: 'notice', trouble }))
  const spending = createSpending(parts.newTokens)
  const stopping = createStopping(parts)
  const starts = failedStarts(parts.name)
  const begin = (agent: ForeignAgent, message: AgentPrompt): RunningTurn => beginTurn(parts, spending.tell, agent, message)
  const stop = (): Promise<void> => {
    const running = turn
    turn = null
    return running ? stopping.stop(running) : stopping.last()
  }
  /** Returns the last event. */
  const answered = async function* (turns: readonly Turn[], signal: AbortSignal): AsyncGenerator<ProviderEvent, ProviderEvent> {
    const { messages, notes, areSent } = messagesOf(turns)
    const written: ContentPart[] = []
    const answer = (stopReason: ModelAnswer['stopReason'], call?: ToolCallPart): ModelAnswer =>
      answerOf(call ? [...written, call] : written, stopReason, spending.now())
    const stopped = nullOnAbort(signal)
    parts.questions.declineRest()
    if (turn === null) {
      if (messages.length === 0 && later.length === 0 && parts.isOutOfBudget()) {
        await Promise.race([stopping.last(), stopped])
        yield* told()
        return outOfBudget(answer('pause'))
      }
      const agent = await Promise.race([stopping.last().then(parts.connect), stopped])
      yield* told()
      if (agent === null) return aborted(answer('error'))
      if (!agent.ok) return starts.failed(agent.failure, answer('error'))
      await parts.onTurn()
      if (signal.aborted) return aborted(answer('error'))
      turn = begin(agent.value, messageFor(notes, [...later, ...messages]))
      later = []
    } else later = [...later, ...messages]
    areSent()
    // `stop` sets `turn` to null at any time, for example when a budget is used up.
    let running: RunningTurn = turn
    for (;;) {
      const next = await Promise.race([running.next(), stopped])
      if (next === null) {
        await stop()
        yield* told()
        return aborted(answer('error'))
      }
      yield* told()
      switch (next.kind) {
        case 'text':
        case 'thinking':
          append(written, next)
          yield next
          continue
        case 'step':
          return { kind: 'finish', answer: answer('tool_calls', callOf(next.step)) }
        case 'question':
          return { kind: 'finish', answer: answer('tool_calls', parts.questions.begin(next.asked)) }
        case 'end':
      }
      if (later.length === 0 && !running.isOver && (await parts.hasMore())) {
        turn = endedTurn(next.end, running)
        return { kind: 'finish', answer: answer('tool_calls', callOf(lastStep(parts.steps))) }
      }
      turn = null
      await parts.afterTurn(next.end.kind === 'ended')
      yield* told()
      if (parts.isOutOfBudget()) return outOfBudget(answer('pause'))
      if (next.end.kind === 'failed') {
        await parts.drop()
        return failed(`${parts.name} failed: ${next.end.why}`, answer('error'))
      }
      if (later.length > 0) {
        const agent = await Promise.race([parts.connect(), stopped])
        if (agent === null) return aborted(answer('error'))
        if (!agent.ok) return starts.failed(agent.failure, answer('error'))
        yield* told()
        turn = running = begin(agent.value, messageFor([], later))
        later = []
        continue
      }
      if (!running.hasAnswered()) written.push({ kind: 'text', text: `${parts.name} gave no answer.` })
      return { kind: 'finish', answer: answer(STOP_REASONS[next.end.why]) }
    }
  }
  return {
    async *request(_provider, { turns }, { signal }) {
      stopping.follow(signal, stop)
      yield { kind: 'start' }
      yield yield* answered(turns, signal)
    },
    stop,
    modelOf: agentModelOf({ ...parts, cost: spending.costOf, waysToSignIn: starts.waysToSignIn }),
  }
}

/** Stops turns of the agent. */
function createStopping({ endCommands, steps, afterTurn }: Pick<AgentModelParts, 'endCommands' | 'steps' | 'afterTurn'>) {
  let last: Promise<void> = Promise.resolve()
  let followed: AbortSignal | null = null
  const stopped = async (running: RunningTurn): Promise<void> => {
    await running.stop()
    await endCommands()
    // Releases requests that are waiting for steps, because the session will not run those steps anymore.
    steps.forget()
    await afterTurn(false)
  }
  return {
    /** Resolves when the agent has stopped. */
    last: () => last,
    stop: (running: RunningTurn): Promise<void> => (last = stopped(running)),
    /** Stops the agent with the session's turn, even between an answer and its step. */
    follow(signal: AbortSignal, stop: () => Promise<void>) {
      if (followed !== signal) signal.addEventListener('abort', () => void stop(), { once: true })
      followed = signal
    },
  }
}

/**
 * The tokens and the cost of the agent's turns. Each answer gets the tokens that the proxy has read since the last one. If the proxy can
 * read none, the size of the agent's context is used instead. The agent reports the total cost so far.
 */
function createSpending(newTokens: () => Usage | null) {
  const costs = new WeakMap<Usage, number>()
  let usage: AgentUsage | null = null
  let paidUsd = 0
  let hasCounted = false
  return {
    tell: (newest: AgentUsage): void => void (usage = newest),
    costOf: (used: Usage): number => costs.get(used) ?? 0,
    now(): Usage {
      const counted = newTokens()
      hasCounted ||= counted !== null
      if (usage === null && counted === null) return NO_USAGE
      const now: Usage = { ...(counted ?? { ...NO_USAGE, input: hasCounted ? 0 : (usage?.used ?? 0) }) }
      const costUsd = usage?.costUsd ?? paidUsd
      costs.set(now, Math.max(0, costUsd - paidUsd))
      paidUsd = costUsd
      return now
    },
  }
}

function beginTurn(parts: AgentModelParts, onUsage: (usage: AgentUsage) => void, agent: ForeignAgent, message: AgentPrompt): RunningTurn {
  const { steps, drop, connect } = parts
  steps.forget()
  return runningTurn(agent, message, { steps, onUsage, hasWorked: workSince(parts), restart: () => drop().then(connect) })
}

/** Tells whether the agent has worked since this call. */
function workSince({ modelRequests, hasMore }: Pick<AgentModelParts, 'modelRequests' | 'hasMore'>): () => Promise<boolean> {
  const before = modelRequests()
  return async () => modelRequests() !== before || hasMore()
}

/** The session checks the budget next, and reports the limit. */
const outOfBudget = (answer: ModelAnswer): ProviderEvent => ({ kind: 'finish', answer })

const answerOf = (parts: readonly ContentPart[], stopReason: ModelAnswer['stopReason'], usage: Usage): ModelAnswer => ({
  parts,
  stopReason,
  responseId: null,
  usage,
})

const nullOnAbort = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })

const STOP_REASONS = {
  end_turn: 'stop',
  max_tokens: 'length',
  max_turn_requests: 'stop',
  refusal: 'content_filter',
  cancelled: 'stop',
} as const

function append(written: ContentPart[], { kind, text }: Extract<Waiting, { kind: 'text' | 'thinking' }>): void {
  const last = written.at(-1)
  const isSame = last?.kind === kind
  const before = isSame && (last.kind === 'text' || last.kind === 'thinking') ? last.text : ''
  if (isSame) written.pop()
  written.push(kind === 'text' ? { kind, text: before + text } : { kind, text: before + text, signature: null })
}

function callOf({ toolCallId, call: { title, kind, input } }: AgentStep): ToolCallPart {
  return {
    kind: 'tool_call',
    toolCallId,
    toolName: agentStepSpec.name,
    argsText: JSON.stringify({ title, kind, ...(input !== null && { input }) }),
  }
}

/** The step for what happened after the agent's last call, for example by a program that the agent left running. */
function lastStep(steps: AgentSteps): AgentStep {
  const id = 'after-the-last-call'
  const step = steps.begin({ id, title: 'What happened after the last step', kind: 'other', input: null, paths: new Set() })
  steps.end(id, { output: '', isError: false })
  return step
}

const ABORTED = { code: 'aborted', message: 'The turn was stopped.', status: null, retryable: false, retryAfterMs: null } as const

const aborted = (partial: ModelAnswer): ProviderEvent => ({ kind: 'failure', failure: ABORTED, partial })

/** Starts of the agent that failed. */
function failedStarts(name: string) {
  let ways = ''
  return {
    failed({ why, signIn }: AgentFailure, partial: ModelAnswer): ProviderEvent {
      ways = signIn ?? ''
      return failed(`${name} could not be started. ${why}`, partial, signIn === undefined ? 'unknown' : 'authentication')
    },
    waysToSignIn: () => ways,
  }
}

function failed(message: string, partial: ModelAnswer, code: FailureCode = 'unknown'): ProviderEvent {
  return { kind: 'failure', failure: { code, message, status: null, retryable: false, retryAfterMs: null }, partial }
}

interface ModelParts extends Pick<AgentModelParts, 'name' | 'signIn'> {
  cost(usage: Usage): number
  /** How to sign in, if the last start has failed because nobody is signed in. Otherwise empty. */
  waysToSignIn(): string
}

function agentModelOf({ name, signIn, cost, waysToSignIn }: ModelParts): ModelOf {
  return ({ provider }) => {
    const model: Model = {
      provider: {
        id: provider,
        stream: () => {
          throw new Error('No provider answers in a session of a third-party agent.')
        },
      },
      // The agent manages its own context window.
      contextWindow: null,
      systemPrompt: () => Promise.resolve(`${name} has its own prompt.`),
      cost,
      trouble: ({ code, message }) => {
        const kept = 'Everything that the agent has done so far is in its layer and in the history. This turn did not change the folder.'
        const goOn = 'Send a message to go on: the agent is started again.'
        const ways = waysToSignIn()
        if (code === 'authentication' && ways !== '') return { code: AGENT_SIGN_IN, what: message, kept, todo: `${ways}\n${goOn}` }
        const way = signIn === '' ? 'sign in to it in a terminal first' : `run “${signIn}” in a terminal first (Settings, Other agents)`
        return { code: `agent_${code}`, what: message, kept, todo: `${goOn} If it needs a sign-in, ${way}.` }
      },
    }
    return Promise.resolve(ok(model))
  }
}

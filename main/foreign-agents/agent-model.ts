import { ok, type Result } from '../../shared/lib/result.ts'
import { AsyncQueue } from '../../shared/lib/async-queue.ts'
import { type ContentPart, NO_USAGE, type ToolCallPart, type Usage } from '../../shared/session/content.ts'
import { messageText, type Turn } from '../../shared/session/conversation-turns.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { agentStepSpec } from '../../shared/tools/built-in/agent-step.ts'
import type { AgentActivity, AgentPrompt, AgentTurnEnd, AgentUsage, ForeignAgent } from '../agent/ports/foreign-agent.ts'
import type { Model, ModelOf, RequestWithRetries } from '../agent/ports/model.ts'
import type { ModelAnswer, ProviderEvent } from '../agent/ports/provider.ts'
import type { AgentStep, AgentSteps } from './agent-steps.ts'

export interface AgentModelParts {
  /** The name of the agent. */
  readonly name: string
  readonly steps: AgentSteps
  /** The running agent. Starts it if it does not run. A failure is a sentence. */
  connect(): Promise<Result<ForeignAgent, string>>
  /** Ends the agent, so that the next `connect` starts it again. */
  drop(): Promise<void>
  /** Called before a turn. What has changed in the layer before belongs to no step. */
  onTurn(): Promise<void>
  /** What to tell the user when a turn has ended. Null if there is nothing. */
  afterTurn(): Promise<Trouble | null>
  /** Whether something has changed in the layer since the last step. */
  hasMoreChanges(): Promise<boolean>
}

/** What the session has not taken yet of a running turn of the agent. */
type Waiting =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'step'; readonly step: AgentStep }
  | { readonly kind: 'end'; readonly end: AgentTurnEnd }

interface RunningTurn {
  /** Whether the agent has ended the turn, and only the step for what changed after its last call was left. */
  readonly isOver: boolean
  next(): Promise<Waiting>
  /** Resolves when the agent has stopped. */
  stop(): Promise<void>
}

export interface AgentModel {
  readonly modelOf: ModelOf
  readonly request: RequestWithRetries
  /** Stops the agent's turn. Resolves when it has stopped. */
  stop(): Promise<void>
}

/**
 * Lets an agent of another maker answer as a model does. A turn of the agent becomes rounds: each of its calls ends an answer and is carried
 * out as a step, which waits for the agent. So the log, undo, blame and limits work as for Countersign's own agent.
 */
export function createAgentModel(parts: AgentModelParts): AgentModel {
  const sent = new WeakSet<Turn>()
  const costs = new WeakMap<Usage, number>()
  let turn: RunningTurn | null = null
  /** Messages that came while the agent was working. It gets them when its turn has ended. */
  let later: AgentPrompt[] = []
  let usage: AgentUsage | null = null
  let paidUsd = 0

  const usageNow = (): Usage => {
    if (usage === null) return NO_USAGE
    const now: Usage = { ...NO_USAGE, input: usage.used }
    costs.set(now, Math.max(0, (usage.costUsd ?? paidUsd) - paidUsd))
    paidUsd = usage.costUsd ?? paidUsd
    return now
  }
  const begin = (agent: ForeignAgent, message: AgentPrompt): RunningTurn =>
    runningTurn(agent, message, parts.steps, (newest) => (usage = newest))
  const stop = async (): Promise<void> => {
    const running = turn
    turn = null
    later = []
    await running?.stop()
  }

  const request: RequestWithRetries = async function* (_provider, { turns }, { signal }) {
    yield { kind: 'start' }
    const message = newMessage(turns, sent)
    const written: ContentPart[] = []
    const answer = (stopReason: ModelAnswer['stopReason'], call?: ToolCallPart): ModelAnswer => ({
      parts: call ? [...written, call] : written,
      stopReason,
      responseId: null,
      usage: usageNow(),
    })
    if (turn === null) {
      const agent = await parts.connect()
      if (!agent.ok) {
        yield failed(`${parts.name} could not be started. ${agent.failure}`, answer('error'))
        return
      }
      await parts.onTurn()
      turn = begin(agent.value, message ?? GO_ON)
    } else if (message) later.push(message)
    const stopped = new Promise<null>((resolve) => {
      if (signal.aborted) resolve(null)
      signal.addEventListener('abort', () => resolve(null), { once: true })
    })
    for (;;) {
      const running: RunningTurn = turn
      const next = await Promise.race([running.next(), stopped])
      if (next === null) {
        await stop()
        yield { kind: 'failure', failure: ABORTED, partial: answer('error') }
        return
      }
      switch (next.kind) {
        case 'text':
        case 'thinking':
          append(written, next)
          yield next
          continue
        case 'step':
          yield { kind: 'finish', answer: answer('tool_calls', callOf(next.step)) }
          return
        case 'end':
      }
      if (later.length === 0 && !running.isOver && (await parts.hasMoreChanges())) {
        const { end } = next
        turn = { next: () => Promise.resolve({ kind: 'end', end }), stop: () => Promise.resolve(), isOver: true }
        yield { kind: 'finish', answer: answer('tool_calls', callOf(lastStep(parts.steps))) }
        return
      }
      const trouble = await parts.afterTurn()
      if (trouble) yield { kind: 'notice', trouble }
      if (next.end.kind === 'failed') {
        turn = null
        await parts.drop()
        yield failed(`${parts.name} failed: ${next.end.why}`, answer('error'))
        return
      }
      const [waiting, ...rest] = later
      later = rest
      if (waiting) {
        const agent = await parts.connect()
        if (!agent.ok) {
          yield failed(`${parts.name} could not be started. ${agent.failure}`, answer('error'))
          return
        }
        turn = begin(agent.value, waiting)
        continue
      }
      turn = null
      if (!written.some(({ kind }) => kind === 'text')) written.push({ kind: 'text', text: `${parts.name} ended its turn without a word.` })
      yield { kind: 'finish', answer: answer(STOP_REASONS[next.end.why]) }
      return
    }
  }
  return { request, stop, modelOf: agentModelOf(parts.name, costs) }
}

/** Begins a turn of the agent. */
function runningTurn(agent: ForeignAgent, message: AgentPrompt, steps: AgentSteps, onUsage: (usage: AgentUsage) => void): RunningTurn {
  const queue = new AsyncQueue<Waiting>()
  const values = queue[Symbol.asyncIterator]()
  const onActivity = (activity: AgentActivity): void => {
    switch (activity.kind) {
      case 'text':
      case 'thinking':
        return queue.push(activity)
      case 'call':
        return queue.push({ kind: 'step', step: steps.begin(activity.call) })
      case 'call_output':
        return steps.tell(activity.id, activity.output)
      case 'call_end':
        return steps.end(activity.id, activity)
      case 'todos':
        return steps.setTodos(activity.todos)
      case 'usage':
        return onUsage(activity.usage)
    }
  }
  const over = agent.prompt(message, onActivity).then((end) => queue.push({ kind: 'end', end }))
  return {
    isOver: false,
    async next() {
      const taken = await values.next()
      if (taken.done) throw new Error('The turn of the agent has ended.')
      return taken.value
    },
    stop() {
      agent.cancel()
      return over
    },
  }
}

const STOP_REASONS = {
  end_turn: 'stop',
  max_tokens: 'length',
  max_turn_requests: 'stop',
  refusal: 'content_filter',
  cancelled: 'stop',
} as const

const GO_ON: AgentPrompt = { text: 'Go on with what you were doing.', pictures: [] }

/** The user's messages since the newest answer that are not in `sent` yet, to which they are added. An answer that broke off is no turn. */
function newMessage(turns: readonly Turn[], sent: WeakSet<Turn>): AgentPrompt | null {
  const since = turns.slice(turns.findLastIndex(({ kind }) => kind === 'assistant') + 1).filter((one) => !sent.has(one))
  for (const one of since) sent.add(one)
  const contents = since.flatMap((one) => (one.kind === 'user' || (one.kind === 'steering' && one.by !== 'loop') ? [one.content] : []))
  const pictures = contents.flatMap((content) => (typeof content === 'string' ? [] : content.filter((part) => part.kind === 'image')))
  return contents.length === 0 ? null : { text: contents.map(messageText).join('\n\n'), pictures }
}

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

/** The step that gets what changed after the agent's last call, for example by a program that it left running. */
function lastStep(steps: AgentSteps): AgentStep {
  const id = 'after-the-last-call'
  const step = steps.begin({ id, title: 'What changed after the last step', kind: 'other', input: null, paths: new Set() })
  steps.end(id, { output: '', isError: false })
  return step
}

const ABORTED = { code: 'aborted', message: 'The turn was stopped.', status: null, retryable: false, retryAfterMs: null } as const

function failed(message: string, partial: ModelAnswer): ProviderEvent {
  return { kind: 'failure', failure: { code: 'unknown', message, status: null, retryable: false, retryAfterMs: null }, partial }
}

function agentModelOf(name: string, costs: WeakMap<Usage, number>): ModelOf {
  return ({ provider }) => {
    const model: Model = {
      provider: {
        id: provider,
        stream: () => {
          throw new Error('No service answers in a session of another agent.')
        },
      },
      // The agent looks after its own window.
      contextWindow: null,
      systemPrompt: () => Promise.resolve(`${name} has its own prompt.`),
      cost: (used) => costs.get(used) ?? 0,
      trouble: ({ code, message }) => ({
        code: `agent_${code}`,
        what: message,
        kept: 'Everything that it did until now is in its layer and in the history. The folder is unchanged.',
        todo: 'Send a message to go on: the agent is started again. Sign in to it in a terminal if it asks for that.',
      }),
    }
    return Promise.resolve(ok(model))
  }
}

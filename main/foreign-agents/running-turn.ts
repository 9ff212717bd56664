import { AsyncQueue } from '../../shared/lib/async-queue.ts'
import type { Result } from '../../shared/lib/result.ts'
import type {
  AgentActivity,
  AgentFailure,
  AgentPrompt,
  AgentTurnEnd,
  AgentUsage,
  AskedByAgent,
  ForeignAgent,
} from '../agent/ports/foreign-agent.ts'
import type { AgentStep, AgentSteps } from './agent-steps.ts'

/** Part of the agent's running turn that the session has not taken yet. */
export type Waiting =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'step'; readonly step: AgentStep }
  | { readonly kind: 'question'; readonly asked: AskedByAgent }
  | { readonly kind: 'end'; readonly end: AgentTurnEnd }

export interface RunningTurn {
  /** Whether the agent has ended the turn, and the session only has to take the last step (`lastStep`). */
  readonly isOver: boolean
  next(): Promise<Waiting>
  /** Whether the agent has written text since its last step. */
  hasAnswered(): boolean
  /** Resolves when the agent has stopped. */
  stop(): Promise<void>
}

export interface TurnParts {
  readonly steps: AgentSteps
  onUsage(usage: AgentUsage): void
  /** Whether the agent may have worked on the message without reporting anything. */
  hasWorked(): Promise<boolean>
  /** Starts the agent again. */
  restart(): Promise<Result<ForeignAgent, AgentFailure>>
}

/** Begins a turn of the agent. */
export function runningTurn(agent: ForeignAgent, message: AgentPrompt, { steps, onUsage, hasWorked, restart }: TurnParts): RunningTurn {
  let isHeard = false
  let isStopped = false
  /** Resolves when the turn is stopped, because a stop must not wait for a restart, which can take minutes. */
  const stopped = Promise.withResolvers<null>()
  let hasAnswered = false
  let working = agent
  const queue = new AsyncQueue<Waiting>()
  const values = queue[Symbol.asyncIterator]()
  const onActivity = (activity: AgentActivity): void => {
    isHeard = true
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
      case 'question':
        // The session asks only when no step runs, but the running step may be waiting for the answer.
        steps.endOpen({ output: 'The agent asks a question.', isError: false })
        return queue.push(activity)
    }
  }
  const restartUnlessWorked = async (): Promise<Result<ForeignAgent, AgentFailure> | null> =>
    (await hasWorked().catch(() => true)) ? null : restart()
  const prompted = async (): Promise<AgentTurnEnd> => {
    const end = await agent.prompt(message, onActivity)
    if (end.kind !== 'failed' || !end.hasEnded || isHeard || isStopped) return end
    // The program may have ended unnoticed after its last turn. If it has not worked on the message, it gets the message again, but only
    // once: a program that ends a second time probably ends each time.
    const again = await Promise.race([restartUnlessWorked(), stopped.promise])
    if (isStopped) return { kind: 'ended', why: 'cancelled' }
    if (again === null) return end
    if (!again.ok) return { kind: 'failed', why: again.failure.why, hasEnded: true }
    working = again.value
    return working.prompt(message, onActivity)
  }
  const over = prompted().then((end) => {
    steps.over()
    queue.push({ kind: 'end', end })
  })
  return {
    isOver: false,
    hasAnswered: () => hasAnswered,
    async next() {
      const taken = await values.next()
      if (taken.done) throw new Error('The turn of the agent has ended.')
      const { kind } = taken.value
      hasAnswered = kind === 'text' || (kind !== 'step' && hasAnswered)
      return taken.value
    },
    stop() {
      isStopped = true
      stopped.resolve(null)
      working.cancel()
      return over
    },
  }
}

/** A turn that has ended, whose last step the session has yet to take. */
export const endedTurn = (end: AgentTurnEnd, { hasAnswered }: RunningTurn): RunningTurn => ({
  hasAnswered,
  next: () => Promise.resolve({ kind: 'end', end }),
  stop: () => Promise.resolve(),
  isOver: true,
})

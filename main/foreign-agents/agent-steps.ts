import { newId, ToolCallId } from '../../shared/lib/ids.ts'
import type { Todo } from '../../shared/session/todo.ts'
import type { ReadAt } from '../../shared/tools/built-in/agent-step.ts'
import type { AgentCall, AgentOutput } from '../agent/ports/foreign-agent.ts'

interface StepEnd {
  readonly output: string
  readonly isError: boolean
}

/** A call of the agent as a step of the session. Steps are compared by identity. */
export interface AgentStep {
  readonly toolCallId: ToolCallId
  readonly call: AgentCall
  /** The output that the agent has reported so far. */
  output: AgentOutput
  onOutput: (output: AgentOutput) => void
  readonly ended: Promise<StepEnd>
}

/** The steps of a session with a third-party agent. The agent begins and ends them; the session takes them one at a time. */
export interface AgentSteps {
  begin(call: AgentCall): AgentStep
  tell(callId: string, output: AgentOutput): void
  end(callId: string, end: StepEnd): void
  /** Forgets all steps. Called before a turn, because the session never takes steps of a stopped turn. */
  forget(): void
  /** Called when the session begins a step. Null if the step is not known, for example after a restart. */
  taken(toolCallId: ToolCallId): AgentStep | null
  /** Whether a change to this file (absolute path) belongs to the step that ends now, and not to a step that the session has yet to begin. */
  isChangedBy(step: AgentStep, path: string): boolean
  /**
   * Call this before a permission request of the agent is answered. Resolves when the session has begun this call, and has read all earlier
   * changes. Never resolves for an unknown call.
   */
  begun(callId: string): Promise<void>
  /**
   * Call this before a model request of the agent is passed on. Resolves when the changes of all steps that have ended are read, except
   * those that wait for a step that still runs.
   */
  beforeRequest(): Promise<void>
  /** Call this when a model request is passed on. */
  requested(): void
  /**
   * To whom the changes belong that are found at a model request: to the only step that has ended since the last request, or else to the
   * only step that runs. Undefined if no step waits for changes, null if it is not known.
   */
  ownerOfChanges(): AgentStep | null | undefined
  /** Call this when the agent has ended its turn. */
  over(): void
  /** What keeps the agent from going on while the changes of this step are read. Call this when the step has ended. */
  readAt(step: AgentStep): ReadAt
  /** Call this when the changes of the step have been read. */
  read(step: AgentStep): void
  /** The agent's task list. Null if it has not changed since the last call. */
  newTodos(): readonly Todo[] | null
  setTodos(todos: readonly Todo[]): void
}

interface OpenStep extends AgentStep {
  /** Steps count from 1 in the order in which the agent began them. */
  readonly at: number
  readonly begun: Promise<void>
  readonly read: Promise<void>
  readonly resolveEnded: (end: StepEnd) => void
  readonly resolveBegun: () => void
  readonly resolveRead: () => void
  hasEnded: boolean
  /** Whether its changes were read at a model request. */
  isLookedFor: boolean
  /** The number of requests that had been passed on when it ended. */
  requestsBefore: number
}

export function createAgentSteps(): AgentSteps {
  const byCall = new Map<string, OpenStep>()
  const byId = new Map<ToolCallId, OpenStep>()
  /** Steps whose changes have not been read, in the order in which the agent began them. */
  const unread = new Set<OpenStep>()
  let todos: readonly Todo[] | null = null
  let begunSteps = 0
  let requests = 0
  /** Permission requests and model requests of the agent that wait. */
  let asking = 0
  let requesting = 0
  let isOver = false
  const forget = (): void => {
    for (const { resolveRead } of unread) resolveRead()
    for (const all of [byCall, byId, unread]) all.clear()
    requests = 0
    isOver = false
  }
  return {
    begin(call) {
      const step = openStep(call, ++begunSteps)
      byCall.set(call.id, step)
      byId.set(step.toolCallId, step)
      unread.add(step)
      return step
    },
    tell(callId, output) {
      const step = byCall.get(callId)
      if (!step) return
      step.output = output
      step.onOutput(output)
    },
    end(callId, end) {
      const step = byCall.get(callId)
      byCall.delete(callId)
      if (!step) return
      step.hasEnded = true
      step.requestsBefore = requests
      step.resolveEnded(end)
    },
    forget,
    taken(toolCallId) {
      const step = byId.get(toolCallId) ?? null
      byId.delete(toolCallId)
      step?.resolveBegun()
      return step
    },
    isChangedBy({ call, toolCallId }, path) {
      const later = [...byId.values()]
      if (later.length === 0) return true
      // After the request, the agent went on with its next call.
      if ([...unread].some((step) => step.toolCallId === toolCallId && step.isLookedFor)) return false
      if (later.some((step) => step.call.paths.has(path))) return false
      // A command may change anything.
      return call.kind === 'execute' || call.paths.size === 0 || call.paths.has(path)
    },
    async begun(callId) {
      asking++
      await (byCall.get(callId)?.begun ?? new Promise<void>(() => {}))
      asking--
    },
    async beforeRequest() {
      requesting++
      for (let [first] = unread; first?.hasEnded; [first] = unread) await first.read
      requesting--
    },
    requested: () => void requests++,
    ownerOfChanges() {
      if (unread.size === 0) return undefined
      const waiting = [...unread].filter(({ isLookedFor }) => !isLookedFor)
      const ended = waiting.filter(({ hasEnded }) => hasEnded)
      const [owner, ...others] = ended.length > 0 ? ended : waiting
      for (const step of ended) step.isLookedFor = true
      if (owner === undefined || others.length > 0) return null
      owner.isLookedFor = true
      return owner
    },
    over: () => void (isOver = true),
    readAt({ toolCallId }) {
      const step = [...unread].find((one) => one.toolCallId === toolCallId)
      if (asking > 0) return 'permission'
      if (requesting > 0) return 'request'
      if (isOver) return 'end'
      if (step?.isLookedFor) return 'request'
      const isNewest = step?.at === begunSteps
      return isNewest && requests > 0 && step.requestsBefore === requests ? 'request' : 'report'
    },
    read({ toolCallId }) {
      for (const step of unread) {
        if (step.toolCallId !== toolCallId) continue
        unread.delete(step)
        step.resolveRead()
      }
    },
    newTodos() {
      const newest = todos
      todos = null
      return newest
    },
    setTodos(newest) {
      todos = newest
    },
  }
}

function openStep(call: AgentCall, at: number): OpenStep {
  const ended = Promise.withResolvers<StepEnd>()
  const begun = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()
  return {
    toolCallId: ToolCallId.parse(newId('call')),
    call,
    at,
    output: { tail: '', bytes: 0 },
    onOutput: () => {},
    ended: ended.promise,
    begun: begun.promise,
    read: read.promise,
    resolveEnded: ended.resolve,
    resolveBegun: begun.resolve,
    resolveRead: read.resolve,
    hasEnded: false,
    isLookedFor: false,
    requestsBefore: 0,
  }
}

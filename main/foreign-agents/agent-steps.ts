import { newId, ToolCallId } from '../../shared/lib/ids.ts'
import type { Todo } from '../../shared/session/todo.ts'
import type { AgentCall, AgentOutput } from '../agent/ports/foreign-agent.ts'
import { createUnreadSteps, type UnreadSteps } from './unread-steps.ts'

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
export interface AgentSteps extends UnreadSteps<AgentStep> {
  begin(call: AgentCall): AgentStep
  tell(callId: string, output: AgentOutput): void
  end(callId: string, end: StepEnd): void
  /** Ends all running steps. */
  endOpen(end: StepEnd): void
  /** Forgets all steps. Called before a turn, because the session never takes steps of a stopped turn. */
  forget(): void
  /** Called when the session begins a step. Null if the step is not known, for example after a restart. */
  taken(toolCallId: ToolCallId): AgentStep | null
  /** Whether a change to this file (absolute path) belongs to the step that ends now, and not to a step that the session has yet to begin. */
  isChangedBy(step: AgentStep, path: string): boolean
  /** Resolves when the session has begun this call of the agent, and has read all earlier changes. Never resolves for an unknown call. */
  begun(callId: string): Promise<void>
  /** The agent's task list. Null if it has not changed since the last call. */
  newTodos(): readonly Todo[] | null
  setTodos(todos: readonly Todo[]): void
}

interface OpenStep extends AgentStep {
  readonly begun: Promise<void>
  readonly resolveEnded: (end: StepEnd) => void
  readonly resolveBegun: () => void
}

const EDITS: ReadonlySet<string> = new Set(['edit', 'delete', 'move'])

export function createAgentSteps(): AgentSteps {
  const byCall = new Map<string, OpenStep>()
  const byId = new Map<ToolCallId, OpenStep>()
  const unread = createUnreadSteps<AgentStep>()
  let todos: readonly Todo[] | null = null
  const end = (callId: string, how: StepEnd): void => {
    const step = byCall.get(callId)
    byCall.delete(callId)
    if (!step) return
    unread.end(step)
    step.resolveEnded(how)
  }
  return {
    ...unread,
    begin(call) {
      const ended = Promise.withResolvers<StepEnd>()
      const begun = Promise.withResolvers<void>()
      const step: OpenStep = {
        toolCallId: ToolCallId.parse(newId('call')),
        call,
        output: { tail: '', bytes: 0 },
        onOutput: () => {},
        ended: ended.promise,
        begun: begun.promise,
        resolveEnded: ended.resolve,
        resolveBegun: begun.resolve,
      }
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
    end,
    endOpen: (how) => [...byCall.keys()].forEach((callId) => end(callId, how)),
    forget() {
      byCall.clear()
      byId.clear()
      unread.forget()
    },
    taken(toolCallId) {
      const step = byId.get(toolCallId) ?? null
      byId.delete(toolCallId)
      step?.resolveBegun()
      return step
    },
    isChangedBy(step, path) {
      const later = [...byId.values()]
      const { kind, paths } = step.call
      // The agent may have begun its next call without reporting it. An edit names its files, so other files belong to that call.
      if (later.length === 0) return unread.readAt(step) !== 'report' || !EDITS.has(kind) || paths.size === 0 || paths.has(path)
      if (unread.hasGoneOn(step) || later.some(({ call }) => call.paths.has(path))) return false
      // A command may change anything.
      return kind === 'execute' || paths.size === 0 || paths.has(path)
    },
    begun: (callId) => byCall.get(callId)?.begun ?? new Promise(() => {}),
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

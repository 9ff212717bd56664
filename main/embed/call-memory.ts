import type { Todo } from '../../shared/session/todo.ts'
import type { CallSession } from '../agent/ports/tool.ts'
import { createSeenFiles, type SeenFiles } from '../agent/record/seen-files.ts'

/** What calls without a session share with later calls: which files they saw, the agent’s list of steps, and the outputs of the calls. */
export interface CallMemory {
  readonly seen: SeenFiles
  readonly session: CallSession
  /** Keeps the newest hundred outputs. If `output` is a function, the text is stored elsewhere and the function reads it. */
  ended(toolCallId: string, output: string | (() => string)): void
}

const MAX_OUTPUTS = 100

export function createCallMemory(): CallMemory {
  const outputs = new Map<string, string | (() => string)>()
  let todos: readonly Todo[] = []
  return {
    seen: createSeenFiles(),
    session: {
      mode: () => 'full',
      course: () => 'plain' as const,
      workflow: () => null,
      modeBefore: () => 'full',
      setMode: () => {},
      todos: () => todos,
      setTodos: (fresh) => void (todos = fresh),
      outputOf: (toolCallId) => readOutput(outputs.get(toolCallId) ?? null),
      mentions: (forms) =>
        Promise.resolve([...outputs.values()].some((output) => forms.some((form) => readOutput(output)?.includes(form)))),
    },
    ended(toolCallId, output) {
      outputs.delete(toolCallId)
      outputs.set(toolCallId, output)
      const [oldest] = outputs.keys()
      if (outputs.size > MAX_OUTPUTS && oldest !== undefined) outputs.delete(oldest)
    },
  }
}

const readOutput = (output: string | (() => string) | null): string | null => (typeof output === 'function' ? output() : output)

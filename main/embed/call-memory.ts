import type { Todo } from '../../../shared/session/todos.ts'
import type { CallSession } from '../ports/call-session.ts'
import { createSeenFiles, type SeenFiles } from '../record/seen-files.ts'

/** What calls without a log share with those after them (D-38): files as they were seen, the list of todos, outputs. */
export interface CallMemory {
  readonly seen: SeenFiles
  readonly session: CallSession
  /** The newest hundred outputs are kept; a function reads one that lies elsewhere. */
  ended(toolCallId: string, output: string | (() => string)): void
}

const OUTPUTS = 100

export function createCallMemory(): CallMemory {
  const outputs = new Map<string, string | (() => string)>()
  let todos: readonly Todo[] = []
  return {
    seen: createSeenFiles(),
    session: {
      mode: () => 'full',
      setMode: () => {},
      todos: () => todos,
      setTodos: (fresh) => void (todos = fresh),
      outputOf: (toolCallId) => textOf(outputs.get(toolCallId) ?? null),
      mentions: (forms) => Promise.resolve([...outputs.values()].some((output) => forms.some((form) => textOf(output)?.includes(form)))),
    },
    ended(toolCallId, output) {
      outputs.delete(toolCallId)
      outputs.set(toolCallId, output)
      const [oldest] = outputs.keys()
      if (outputs.size > OUTPUTS && oldest !== undefined) outputs.delete(oldest)
    },
  }
}

const textOf = (output: string | (() => string) | null): string | null => (typeof output === 'function' ? output() : output)

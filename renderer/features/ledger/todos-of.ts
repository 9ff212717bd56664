import type { CallItem } from '../../../shared/session/state.ts'
import type { Todo } from '../../../shared/session/todos.ts'
import { TodoWriteInput } from '../../../shared/tools/todos.ts'

/** The list that a step wrote; empty when it wrote none. */
export function todosOf(call: CallItem): readonly Todo[] {
  const input = call.toolName === 'todo_write' ? TodoWriteInput.safeParse(call.args) : null
  return input?.success ? input.data.todos : []
}

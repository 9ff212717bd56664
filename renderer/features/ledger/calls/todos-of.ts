import type { CallItem } from '../../../../shared/session/state.ts'
import type { Todo } from '../../../../shared/session/todos.ts'
import { TodoWriteInput } from '../../../../shared/tools/todos.ts'

/** The list that a step wrote or read; empty when it did neither. */
export function todosOf(call: CallItem): readonly Todo[] {
  const list = call.toolName === 'todo_write' ? call.args : call.toolName === 'todo_read' ? call.details : null
  const input = list === null ? null : TodoWriteInput.safeParse(list)
  return input?.success ? input.data.todos : []
}

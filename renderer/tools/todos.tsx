import type { ReactNode } from 'react'
import type { CallItem } from '../../shared/session/state.ts'
import type { Todo } from '../../shared/session/todo.ts'
import { detailsOf, parsedAs } from '../../shared/tools/spec/tool-spec.ts'
import { TodoWriteInput, todoReadSpec, todoWriteSpec } from '../../shared/tools/built-in/todos.ts'
import { TodoList } from '../ui/ledger/todo-list.tsx'
import { CallOutput } from './view/call-output.tsx'
import type { BodyProps, ToolView } from './view/tool-view.ts'

export const todoWriteView: ToolView = { spec: todoWriteSpec, folding: () => 'fixed', Body: Todos, isTimed: false }

export const todoReadView: ToolView = { spec: todoReadSpec, unfolds: 'the list', Body: Todos, isTimed: false }

function Todos({ call, sessionId }: BodyProps): ReactNode {
  const todos = todosOf(call)
  return todos.length > 0 ? <TodoList todos={todos} isRunning={false} /> : <CallOutput call={call} sessionId={sessionId} />
}

/** The to-do list that a call wrote or read. Empty if the call failed. */
export function todosOf(call: CallItem): readonly Todo[] {
  const written = call.toolName === todoWriteSpec.name ? parsedAs(TodoWriteInput, call.args) : detailsOf(todoReadSpec, call)
  return written?.todos ?? []
}

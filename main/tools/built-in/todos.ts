import { byReader, reason } from '../../agent/reason.ts'
import type { Todo } from '../../../shared/session/todo.ts'
import { todoReadSpec, todoWriteSpec } from '../../../shared/tools/built-in/todos.ts'
import type { ReviewEffect } from '../../../shared/session/effects.ts'
import { stateIn, type Workflow } from '../../../shared/workflow/workflow.ts'
import type { Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { rejected } from '../define/tool-path.ts'

/** The list is stored in the session's log. Writing it changes nothing in the project. */
export function createTodoWriteTool(): Tool {
  return defineTool(todoWriteSpec, ({ todos }, { session }) => {
    const ids = new Set(todos.map(({ id }) => id))
    if (ids.size < todos.length) return Promise.resolve(rejected('Two entries have the same id. The list was not changed.'))
    const active = todos.filter(({ status }) => status === 'in_progress').length
    if (active > 1)
      return Promise.resolve(
        rejected(reason`${active} entries are ${byReader('in_progress', 'in progress')}; at most one may be. The list was not changed.`),
      )
    return Promise.resolve({
      kind: 'ready',
      effects: session.course() === 'review' ? reviewOf(todos, session.workflow()) : [],
      commit: (run) => {
        run.session.setTodos(todos)
        return Promise.resolve(listed(todos))
      },
    })
  })
}

/** The steps of the plan that this list newly marks as done, for staged review. */
function reviewOf(todos: readonly Todo[], workflow: Workflow | null): readonly ReviewEffect[] {
  if (workflow?.stage !== 'executing' || !workflow.approved) return []
  const { steps } = workflow.approved.plan
  const done = workflow.steps.filter((step) => step.state !== 'done' && stateIn(todos, step, steps) === 'done')
  if (done.length === 0) return []
  const titles = done.map(({ id }) => ({ id, title: steps.find((step) => step.id === id)?.title ?? id }))
  return [{ kind: 'review', steps: titles, calls: [...new Set(done.flatMap(({ calls }) => calls))] }]
}

export function createTodoReadTool(): Tool {
  return defineTool(todoReadSpec, () =>
    Promise.resolve({ kind: 'ready', effects: [], commit: (run) => Promise.resolve(listed(run.session.todos())) }),
  )
}

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const

function listed(todos: readonly Todo[]): ToolOutput {
  const lines = todos.map(({ id, content, status, priority }) => `${MARKS[status]} ${id}: ${content} (${priority})`)
  const output = lines.length === 0 ? 'The list is empty.' : lines.join('\n')
  return { output, isError: false, details: { todos: todos.map((todo) => ({ ...todo })) } }
}

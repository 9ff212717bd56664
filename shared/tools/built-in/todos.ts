import { isObject } from '../../lib/json.ts'
import { z } from 'zod'
import { listFromJson, named } from '../foreign-arguments/argument-aliases.ts'
import { callLine, fieldOf, listOf } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'

export const TodoWriteInput = z.object({
  todos: z
    .array(
      z.object({
        id: z.string().trim().min(1).max(80).describe('Short id that stays the same while the step exists.'),
        content: z.string().trim().min(1).max(2000).describe('What to do.'),
        status: z.enum(['pending', 'in_progress', 'completed']).describe('At most one step can be in_progress.'),
        priority: z.enum(['high', 'medium', 'low']).describe('How important it is.'),
      }),
    )
    .max(200)
    .describe('The complete new list.'),
})
export type TodoWriteInput = z.infer<typeof TodoWriteInput>

export const todoWriteSpec = toolSpec({
  name: 'todo_write',
  verb: 'Plan',
  description: 'Replaces your list of steps. The developer sees it.',
  use: 'Use it for work of three or more steps. Mark a step in_progress when you start it and completed as soon as it is done.',
  isOffered: true,
  input: TodoWriteInput,
  reads: 'session',
  details: TodoWriteInput,
  line(call) {
    const todos = listOf(call.args?.['todos'])
    const done = todos.filter((todo) => fieldOf(todo, 'status') === 'completed').length
    return callLine('Plan', '', todos.length === 0 ? '' : `${done} of ${todos.length} done`)
  },
  otherNames: ['TodoWrite', 'update_plan', 'write_todos'],
  aliases: named(['todos', 'items', 'plan'], (value) => ({ todos: todosOf(value) })),
  refuses: { merge: { why: 'The complete list is replaced.' } },
})

const TodoReadInput = z.object({})

export const todoReadSpec = toolSpec({
  name: 'todo_read',
  verb: 'Plan',
  description: 'Returns your list of steps.',
  use: 'Use it if you lost track of the list.',
  isOffered: true,
  input: TodoReadInput,
  reads: 'session',
  details: TodoWriteInput,
  line: () => callLine('Plan', '', 'looked at again'),
  otherNames: ['TodoRead'],
})

const STATUSES: ReadonlyMap<unknown, string> = new Map([
  ['todo', 'pending'],
  ['not_started', 'pending'],
  ['open', 'pending'],
  ['in-progress', 'in_progress'],
  ['active', 'in_progress'],
  ['doing', 'in_progress'],
  ['done', 'completed'],
  ['complete', 'completed'],
])

/** Fills in the ids and priorities that other agents do not send. */
function todosOf(given: unknown): unknown {
  const value = listFromJson(given)
  if (!Array.isArray(value)) return value
  return value.map((todo: unknown, index) => {
    if (!isObject(todo)) return todo
    const { id, content, title, text, task, step, description, status, priority } = todo
    return {
      id: typeof id === 'number' ? String(id) : (id ?? String(index + 1)),
      content: content ?? title ?? text ?? task ?? step ?? description,
      status: STATUSES.get(status) ?? status ?? 'pending',
      priority: priority ?? 'medium',
    }
  })
}

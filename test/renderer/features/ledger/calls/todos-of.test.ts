import { expect, test } from 'vitest'
import { foldingOf } from '../../../../../renderer/tools/views.ts'
import { todosOf } from '../../../../../renderer/tools/todos.tsx'
import { emptySession, foldAll } from '../../../../../shared/session/fold/fold.ts'
import type { CallItem } from '../../../../../shared/session/state.ts'
import { begun, ended, executing, SESSION, stamped, started } from '../../../../agent/support/events.ts'

const ITEM = { id: 'a', content: 'Look at the test', status: 'in_progress', priority: 'high' } as const

function wrote(toolName: string, todos: unknown): CallItem {
  const args = { todos } as Parameters<typeof begun>[2]
  const events = [started(), begun('c1', toolName, args), executing('c1'), ended('c1', 'Written.', { toolName })]
  return foldAll(emptySession(SESSION), stamped(events)).items.find((item): item is CallItem => item.kind === 'call') as CallItem
}

test('a list written by a step is always expanded under the step', () => {
  expect(todosOf(wrote('todo_write', [ITEM]))).toEqual([ITEM])
  expect(foldingOf(wrote('todo_write', [ITEM]))).toBe('fixed')
})

test('a list returned by todo_read can be expanded as a list', () => {
  const read = { ...wrote('todo_read', []), details: { todos: [ITEM] } }
  expect(todosOf(read)).toEqual([ITEM])
  expect(foldingOf(read)).toBe('closed')
})

test('an invalid list, or the list of another tool, is shown as plain output', () => {
  expect(todosOf(wrote('todo_write', [{ content: 'no state' }]))).toEqual([])
  expect(todosOf(wrote('my_tool', [ITEM]))).toEqual([])
})

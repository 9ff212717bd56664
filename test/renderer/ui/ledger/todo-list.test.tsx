import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TodoList } from '../../../../renderer/ui/ledger/todo-list.tsx'
import type { Todo } from '../../../../shared/session/todo.ts'

const todos: readonly Todo[] = [
  { id: '1', content: 'read', status: 'completed', priority: 'low' },
  { id: '2', content: 'edit', status: 'in_progress', priority: 'low' },
]

test('the ring of the step in progress spins while a turn runs', () => {
  expect(renderToStaticMarkup(<TodoList todos={todos} isRunning />)).toContain('data-dot="running"')
})

test('the ring stops once the turn has ended, but the step is still marked as in progress', () => {
  const shown = renderToStaticMarkup(<TodoList todos={todos} isRunning={false} />)
  expect(shown).not.toContain('data-dot="running"')
  expect(shown).toContain('In progress: ')
})

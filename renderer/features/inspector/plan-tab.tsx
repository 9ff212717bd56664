import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Todo } from '../../../shared/session/todos.ts'
import { useSession } from '../../state/desk-context.ts'
import { PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { TodoList } from '../../ui/ledger/todo-list.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import styles from './inspector.module.css'

const NONE: readonly Todo[] = []

/** The agent's current plan. */
export function PlanTab({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const todos = useSession(sessionId, (session) => session.todos, NONE)
  const isRunning = useSession(sessionId, ({ run }) => run === 'PROCESSING' || run === 'AWAITING_INPUT', false)
  if (todos.length === 0) {
    return <EmptyState>No plan yet. For longer work, the agent lists its steps here and checks off the finished ones.</EmptyState>
  }
  const done = todos.filter(({ status }) => status === 'completed').length
  const started = todos.some(({ status }) => status === 'in_progress')
  return (
    <>
      <PaneHead
        level="bar"
        title={`${done} of ${todos.length} done`}
        aside={started ? (isRunning ? '1 in progress' : '1 not finished') : undefined}
      />
      <PaneScroll label="Plan">
        <div className={styles.plan}>
          <TodoList todos={todos} isRunning={isRunning} />
        </div>
      </PaneScroll>
    </>
  )
}

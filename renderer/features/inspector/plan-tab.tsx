import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Todo } from '../../../shared/session/todos.ts'
import { useSession } from '../../state/desk-context.ts'
import { PaneHead } from '../../ui/frame/pane-head.tsx'
import { PaneScroll } from '../../ui/frame/pane-scroll.tsx'
import { TodoList } from '../../ui/ledger/todo-list.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import styles from './inspector.module.css'

const NONE: readonly Todo[] = []

/** What the agent means to do, as its own list stands now. */
export function PlanTab({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const todos = useSession(sessionId, (session) => session.todos, NONE)
  if (todos.length === 0) {
    return (
      <EmptyState>No plan yet. For work of several steps the agent keeps a list here of what is to be done, and how far it is.</EmptyState>
    )
  }
  const done = todos.filter(({ status }) => status === 'completed').length
  const isUnderWay = todos.some(({ status }) => status === 'in_progress')
  return (
    <>
      <PaneHead level="bar" title={`${done} of ${todos.length} done`} aside={isUnderWay ? '1 under way' : undefined} />
      <PaneScroll label="Plan">
        <div className={styles.plan}>
          <TodoList todos={todos} />
        </div>
      </PaneScroll>
    </>
  )
}

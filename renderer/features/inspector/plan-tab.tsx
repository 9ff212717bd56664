import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import type { Todo } from '../../../shared/session/todo.ts'
import { useSession } from '../../state/desk-context.ts'
import { PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { TodoList } from '../../ui/ledger/todo-list.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { PlanProgress } from './plan-progress.tsx'
import { PlanProposal } from './plan-proposal.tsx'
import styles from './inspector.module.css'

const NONE: readonly Todo[] = []

/** The plan that waits for its signature, otherwise the progress of the signed plan, otherwise the agent's own list. */
export function PlanTab({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const workflow = useSession(sessionId, (session) => session.workflow, null)
  const call = useSession(sessionId, proposalIn, null)
  const plan = call?.effects.find((effect) => effect.kind === 'mode')?.document
  if (call && plan) return <PlanProposal call={call} plan={plan} answers={workflow?.answers ?? []} />
  if (workflow?.approved) return <PlanProgress sessionId={sessionId} workflow={workflow} approved={workflow.approved} />
  return <OwnList sessionId={sessionId} />
}

function proposalIn(session: SessionState): CallItem | null {
  return pendingCalls(session).find(({ effects }) => effects.some((effect) => effect.kind === 'mode' && effect.document)) ?? null
}

/** The agent's own to-do list, for work without a signed plan. */
function OwnList({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
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

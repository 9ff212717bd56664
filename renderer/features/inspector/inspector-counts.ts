import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Todo } from '../../../shared/session/todos.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { familyOf, rootOf } from '../../state/views/families.ts'
import type { InspectorTab } from '../../state/stores/view-store.ts'

const NONE: readonly Todo[] = []

/** What stands beside the names of the tabs: how many agents, how much of the plan is done. Nothing where there is nothing. */
export function useInspectorCounts(sessionId: SessionId): Readonly<Partial<Record<InspectorTab, string>>> {
  const agents = useStore(useDesk().list, ({ sessions }) => familyOf(sessions, rootOf(sessions, sessionId)).length)
  const todos = useSession(sessionId, (session) => session.todos, NONE)
  return {
    ...(agents > 0 ? { agents: String(agents) } : {}),
    ...(todos.length > 0 ? { plan: progressOf(todos) } : {}),
  }
}

/** "1/4". */
export function progressOf(todos: readonly Todo[]): string {
  return `${todos.filter(({ status }) => status === 'completed').length}/${todos.length}`
}

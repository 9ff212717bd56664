import { type ReactNode, useMemo } from 'react'
import type { SessionSummary, SpentSummary } from '../../../shared/api/sessions.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { tokensOf } from '../../../shared/session/content.ts'
import { NO_LEASE } from '../../../shared/session/settings/budget-lease.ts'
import { useSession } from '../../state/desk-context.ts'
import type { AgentSummary } from '../../state/views/session-families.ts'
import { PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { AgentRow } from './agent-row.tsx'
import styles from './agents.module.css'
import { columnsOf, NAMES } from './budget-cell.tsx'
import { startsSubagent, taskTitle } from '../../../shared/tools/built-in/subagents.ts'
import type { CallItem, Item } from '../../../shared/session/state.ts'

const NOTHING: SpentSummary = { tokens: 0, costUsd: null, answers: 0 }

export interface AgentTreeProps {
  readonly root: SessionSummary
  readonly family: readonly AgentSummary[]
  readonly selected: SessionId | null
  readonly onChoose: (sessionId: SessionId) => void
}

/** The session and its subagents, each below its parent. The tree is one tab stop. Arrow keys move between rows. */
export function AgentTree({ root, family, selected, onChoose }: AgentTreeProps): ReactNode {
  const columns = columnsOf(family.map(({ parent }) => parent.lease))
  const tasks = useTasks(root.sessionId)
  const own = useSession<SpentSummary>(
    root.sessionId,
    ({ usage, costUsd, answers }) => ({ tokens: tokensOf(usage), costUsd, answers }),
    NOTHING,
  )
  const stop = selected ?? root.sessionId
  return (
    <PaneScroll label="Agents">
      <table className={styles.agents}>
        <thead>
          <tr>
            <th scope="col">Agent</th>
            {columns.map((what) => (
              <th key={what} scope="col" className={styles.cell}>
                {NAMES[what]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <AgentRow
            session={root}
            name="main"
            about=""
            depth={0}
            readsOnly={false}
            ownCopy={false}
            lease={NO_LEASE}
            spent={own}
            columns={columns}
            selected={selected === null}
            tabIndex={stop === root.sessionId ? 0 : -1}
            onPress={() => onChoose(root.sessionId)}
          />
          {family.map((agent) => (
            <AgentRow
              key={agent.sessionId}
              session={agent}
              name={agent.parent.agentType}
              about={tasks.get(agent.parent.toolCallId) ?? ''}
              depth={agent.parent.depth}
              readsOnly={agent.parent.readsOnly}
              ownCopy={agent.parent.ownCopy === true}
              lease={agent.parent.lease}
              spent={agent.spent ?? NOTHING}
              columns={columns}
              selected={selected === agent.sessionId}
              tabIndex={stop === agent.sessionId ? 0 : -1}
              onPress={() => onChoose(agent.sessionId)}
            />
          ))}
        </tbody>
      </table>
    </PaneScroll>
  )
}

const NONE: readonly CallItem[] = []

/** Returns a short form of each subagent's task, keyed by the call that started it. Only entries that are loaded are searched. */
function useTasks(sessionId: SessionId): ReadonlyMap<ToolCallId, string> {
  const calls = useSession(sessionId, ({ items }) => items.filter(sends), NONE)
  return useMemo(() => new Map(calls.map((call) => [call.toolCallId, taskTitle(call)])), [calls])
}

function sends(item: Item): item is CallItem {
  return item.kind === 'call' && startsSubagent(item)
}

import { type KeyboardEvent, type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showSession, stopTurn } from '../../state/commands/actions.ts'
import { useDesk, useOfflineReason, useView } from '../../state/desk-context.ts'
import { familyOf, rootOf } from '../../state/views/session-families.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counted } from '../../ui/format.ts'
import { PaneHead } from '../../ui/frame/panes/pane.tsx'
import { indexAfterKey, vertical } from '../../ui/arrow-keys.ts'
import { StopSquare } from '../../ui/marks/dot.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { AgentDetail } from './agent-detail.tsx'
import { countWords, isAtWork } from './agent-state.ts'
import { AgentTree } from './agent-tree.tsx'
import styles from './agents.module.css'

export interface AgentsTabProps {
  readonly sessionId: SessionId
  /** Renders the ledger of a subagent. */
  readonly ledgerOf: (agent: SessionId, title: string) => ReactNode
}

/** The subagents of a session as a tree with their activity and remaining budget, and below it the selected agent. */
export function AgentsTab({ sessionId, ledgerOf }: AgentsTabProps): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const sessions = useStore(desk.list, (list) => list.sessions)
  const chosen = useView((view) => view.agent)
  const root = sessions.get(rootOf(sessions, sessionId))
  const family = useMemo(() => (root ? familyOf(sessions, root.sessionId) : []), [sessions, root])
  if (!root || family.length === 0) {
    return (
      <EmptyState>No agents yet. Agents that this session starts appear here, with their current action and remaining budget.</EmptyState>
    )
  }
  const shown = family.find((agent) => agent.sessionId === chosen)
  const busy = family.filter(isAtWork)
  const choose = (id: SessionId): void => {
    if (id !== root.sessionId) return desk.view.setState({ agent: id === chosen ? null : id })
    if (sessionId !== id) showSession(desk, id)
    desk.view.setState({ agent: null })
  }
  return (
    <>
      <PaneHead
        level="bar"
        title={counted(family.length, 'agent')}
        aside={countWords(family)}
        end={
          busy.length > 0 && (
            <Button
              small
              lead={<StopSquare />}
              disabledReason={offline}
              onPress={() => busy.forEach((agent) => stopTurn(desk, agent.sessionId))}
            >
              {busy.length === 1 ? 'Stop it' : 'Stop all agents'}
            </Button>
          )
        }
      />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles the arrow keys of the rows in it */}
      <div className={styles.tree} data-split={shown !== undefined} onKeyDown={moveThroughRows}>
        <AgentTree
          root={root}
          family={family}
          selected={shown?.sessionId ?? (sessionId === root.sessionId ? null : sessionId)}
          onChoose={choose}
        />
      </div>
      {shown && <AgentDetail key={shown.sessionId} agent={shown} isOnScreen={sessionId === shown.sessionId} ledgerOf={ledgerOf} />}
    </>
  )
}

/** The subagents at one moment of a replay. They cannot be changed. */
export function RecordedAgents({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const sessions = useStore(useDesk().list, (list) => list.sessions)
  const root = sessions.get(sessionId)
  const family = useMemo(() => familyOf(sessions, sessionId), [sessions, sessionId])
  if (!root || family.length === 0) return <EmptyState>At this point in the session, no agent had been started yet.</EmptyState>
  return (
    <>
      <PaneHead level="bar" title={counted(family.length, 'agent')} aside={countWords(family)} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles the arrow keys of the rows in it */}
      <div className={styles.tree} onKeyDown={moveThroughRows}>
        <AgentTree root={root} family={family} selected={null} onChoose={() => {}} />
      </div>
    </>
  )
}

/** Moves the focus from row to row with the arrow keys, Home and End. */
function moveThroughRows(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-agent]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const to = at === -1 ? null : indexAfterKey(event.key, vertical, at, rows.length)
  if (to === null) return
  event.preventDefault()
  rows[to]?.focus()
}

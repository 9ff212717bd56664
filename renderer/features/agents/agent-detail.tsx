import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showSession, stopTurn } from '../../state/commands/actions.ts'
import { useDesk, useOfflineReason } from '../../state/desk-context.ts'
import { agentName, type AgentSummary } from '../../state/views/session-families.ts'
import { useSpawningStep } from '../../state/hooks/use-agent-relations.ts'
import { classNames } from '../../ui/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PaneHead } from '../../ui/frame/panes/pane.tsx'
import { axisClass } from '../../ui/ledger/ledger.tsx'
import { AgentMessageField } from './agent-message-field.tsx'
import { isAtWork } from './agent-state.ts'
import styles from './agents.module.css'

export interface AgentDetailProps {
  readonly agent: AgentSummary
  /** Whether the agent's own session is open in the work pane. If so, its ledger is not repeated here. */
  readonly isOnScreen: boolean
  readonly ledgerOf: (agent: SessionId, title: string) => ReactNode
}

/** One subagent: the step that started it, its buttons, and its ledger. */
export function AgentDetail({ agent, isOnScreen, ledgerOf }: AgentDetailProps): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const { sessionId, parent } = agent
  const step = useSpawningStep(sessionId, parent.sessionId)
  const [writing, setWriting] = useState(false)
  const isClosed = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.run === 'CLOSED')
  const aside = [
    step === null ? '' : `started by step ${step}`,
    parent.readsOnly ? 'reads only' : '',
    parent.ownCopy ? 'writes in its own copy' : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
  return (
    <section className={styles.detail} aria-label={agentName(agent)}>
      <PaneHead
        level="bar"
        title={agentName(agent)}
        aside={aside}
        end={
          <>
            {isAtWork(agent) && (
              <Button small disabledReason={offline} onPress={() => stopTurn(desk, sessionId)}>
                Stop
              </Button>
            )}
            {!isClosed && !writing && (
              <Button variant="quiet" small disabledReason={offline} onPress={() => setWriting(true)}>
                Message
              </Button>
            )}
            {!isOnScreen && (
              <Button variant="quiet" small onPress={() => showSession(desk, sessionId)}>
                Open session
              </Button>
            )}
          </>
        }
      />
      {writing && <AgentMessageField sessionId={sessionId} name={agentName(agent)} onDone={() => setWriting(false)} />}
      {!isOnScreen && <div className={classNames(axisClass(true), styles.ledger)}>{ledgerOf(sessionId, agentName(agent))}</div>}
    </section>
  )
}

import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../../state/desk-context.ts'
import { PageFrame, PageNav } from '../../ui/frame/page-frame.tsx'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { Moment } from './moment.tsx'
import type { ReplayParts } from './as-it-was.tsx'
import { ReplayTurns } from './replay-turns.tsx'
import styles from './replay.module.css'
import { useReplayScreen } from './use-replay-screen.tsx'

export interface ReplayPageProps {
  readonly sessionId: SessionId
  /** The event after which the replay begins. Null for the first moment. */
  readonly from: number | null
  readonly parts: ReplayParts
  readonly status: ReactNode
}

/** Replays a stored session: its ledger, requests, changes, commands and plan at every moment. Works offline and changes nothing. */
export function ReplayPage({ sessionId, from, parts, status }: ReplayPageProps): ReactNode {
  const desk = useDesk()
  const screen = useReplayScreen(sessionId, from)
  const { moves, player } = screen
  const { outline } = player
  const close = (): void => desk.view.setState({ page: 'desk', replayed: null })
  useEscape(close)
  return (
    <PageFrame
      navLabel="Turns"
      nav={
        <PageNav label="Turns" closeWords="Close replay" onClose={close}>
          {outline && moves && <ReplayTurns outline={outline} current={moves.current} onGo={({ seq }) => moves.toSeq(seq)} />}
        </PageNav>
      }
      foot={screen.scrub}
      status={status}
    >
      <Moment sessionId={sessionId} screen={screen} parts={parts} />
    </PageFrame>
  )
}

export interface ReplayPaneProps extends Omit<ReplayPageProps, 'status'> {
  readonly onClose: () => void
}

/** The replay of a session, shown beside a list. It has no list of turns. */
export function ReplayPane({ sessionId, from, parts, onClose }: ReplayPaneProps): ReactNode {
  const screen = useReplayScreen(sessionId, from)
  return (
    <div className={styles.beside}>
      <Moment sessionId={sessionId} screen={screen} parts={parts} onClose={onClose} />
      {screen.scrub}
    </div>
  )
}

import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { DeskContext, useDesk, useSession } from '../../state/desk-context.ts'
import { Pane, PaneHead } from '../../ui/frame/panes/pane.tsx'
import { RecordedEntries } from '../../ui/ledger/entry-row.tsx'
import { axisClass } from '../../ui/ledger/ledger.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { AsItWas } from './as-it-was.tsx'
import { MomentActions } from './moment-actions.tsx'
import type { ReplayParts } from './as-it-was.tsx'
import styles from './replay.module.css'
import type { ReplayScreen } from './use-replay-screen.tsx'

export interface MomentProps {
  readonly sessionId: SessionId
  readonly screen: ReplayScreen
  readonly parts: ReplayParts
  /** Closes the pane beside a list. If absent, the replay fills the window. */
  readonly onClose?: (() => void) | undefined
}

/** One moment of a session, shown by the desk's own parts. */
export function Moment({ sessionId, screen, parts, onClose }: MomentProps): ReactNode {
  return (
    <DeskContext value={screen.shown}>
      <RecordedEntries value>
        <ShownMoment sessionId={sessionId} screen={screen} parts={parts} onClose={onClose} />
      </RecordedEntries>
    </DeskContext>
  )
}

function ShownMoment({ sessionId, screen, parts, onClose }: MomentProps): ReactNode {
  const desk = useDesk()
  const { title, player } = screen
  const { outline, trouble, at } = player
  const waiting = useSession<CallItem | null>(sessionId, (session) => pendingCalls(session)[0] ?? null, null)
  const isOpen = useStore(desk.session(sessionId).store, ({ session }) => session !== null)
  const stop = outline?.stops[at]
  const isBeside = onClose !== undefined
  const pane = (
    <Pane kind={isBeside ? 'inspector' : 'work'} label={title} className={isBeside ? axisClass() : undefined}>
      <PaneHead
        rank={isBeside ? 2 : 1}
        title={title}
        aside="replay, read-only"
        end={<MomentActions sessionId={sessionId} screen={screen} onClose={onClose} />}
      />
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      {!trouble && outline === null && <EmptyState>Reading the session…</EmptyState>}
      {outline?.stops.length === 0 && <EmptyState>Nothing has happened in this session yet.</EmptyState>}
      {isOpen && parts.ledgerOf(sessionId, title)}
      {waiting && parts.requestOf(sessionId, waiting)}
    </Pane>
  )
  return (
    <div className={styles.moment}>
      {isBeside ? (
        <section className={styles.landmark} aria-label={`Replay of ${title}`}>
          {pane}
        </section>
      ) : (
        pane
      )}
      {isOpen && stop && <AsItWas sessionId={sessionId} at={stop.at} parts={parts} />}
    </div>
  )
}

import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../../shared/session/fold/run-state.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { showSession } from '../../../state/commands/actions.ts'
import { useDesk, useSession, useView } from '../../../state/desk-context.ts'
import { PageFrame, PageNav } from '../../../ui/frame/page-frame.tsx'
import { Pane, PaneHead } from '../../../ui/frame/panes/pane.tsx'
import { useEscape } from '../../../ui/hooks/use-escape.ts'
import { EmptyState } from '../../../ui/notices/empty-state.tsx'
import { BringInRequest } from './bring-in-request.tsx'

interface BringInPageProps {
  /** The strip at the bottom. */
  readonly status: ReactNode
}

/** Full-window page on which the user signs what a session changed in its layer, by step and hunk. */
export function BringInPage({ status }: BringInPageProps): ReactNode {
  const sessionId = useView((view) => view.sessionId)
  return sessionId === null ? null : <SessionToBringIn key={sessionId} sessionId={sessionId} status={status} />
}

function SessionToBringIn({ sessionId, status }: BringInPageProps & { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const from = useSession<SessionId | null>(sessionId, ({ config: { where } }) => (where?.kind === 'bring-in' ? where.from : null), null)
  const call = useSession<CallItem | null>(sessionId, (session) => pendingCalls(session)[0] ?? null, null)
  const isIdle = useSession(sessionId, ({ run }) => run === 'IDLE', false)
  const isThere = useStore(desk.list, ({ sessions }) => from !== null && sessions.has(from))
  const [last, setLast] = useState<CallItem | null>(call)
  if (call !== null && call !== last) setLast(call)
  const wasAnswered = useSession(
    sessionId,
    ({ items, run }) => run === 'IDLE' && items.some((item) => item.id === last?.id && item.kind === 'call' && isAnswered(item)),
    false,
  )
  const close = (): void => (from !== null && isThere ? showSession(desk, from) : desk.view.setState({ page: 'desk' }))
  useEscape(close)
  const wasSignedHere = useStore(desk.signing.store, (all) => {
    const id = last?.approval?.approvalId
    const signing = id && all.get(id)
    return signing?.kind === 'answered' && signing.answer === 'sign'
  })
  const showLedger = (): void => desk.view.setState({ page: 'desk' })
  // The ledger says what was brought in. A signature given here is shown first.
  useEffect(() => {
    if (wasAnswered && !wasSignedHere) desk.view.setState({ page: 'desk' })
  }, [desk, wasAnswered, wasSignedHere])
  const shown = call ?? (wasSignedHere ? last : null)
  if (from !== null && shown !== null)
    return (
      <BringInRequest
        key={shown.approval?.approvalId ?? shown.id}
        sessionId={sessionId}
        from={from}
        call={shown}
        status={status}
        onClose={close}
        onSignedShown={showLedger}
      />
    )
  return (
    <PageFrame
      navLabel="Change sets"
      nav={
        <PageNav label="Change sets" closeWords="Close" onClose={close}>
          <PaneHead level="bar" title="Change sets" />
        </PageNav>
      }
      status={status}
    >
      <Pane kind="work" label="Bring in">
        <PaneHead rank={1} title="Bring in" />
        <EmptyState>{isIdle && from !== null ? 'Nothing waits to be brought in.' : 'Reading what the session changed…'}</EmptyState>
      </Pane>
    </PageFrame>
  )
}

const isAnswered = ({ approval }: CallItem): boolean => approval?.answer?.kind === 'signed' || approval?.answer?.kind === 'refused'

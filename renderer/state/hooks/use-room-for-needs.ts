import { useEffect } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { useWhoAsks } from './use-agents.ts'
import { useNarrow } from '../views/narrow.ts'

const firstAsked = (session: SessionState): string | null => pendingCalls(session)[0]?.approval?.approvalId ?? null

/**
 * A request that comes, or a window that becomes too narrow for both, puts the inspector's drawer away: what waits for a signature is not
 * to be found under it. Taken out again on purpose it stays, and nothing can be signed until it is back.
 */
export function useRoomForNeeds(sessionId: SessionId): void {
  const desk = useDesk()
  const isNarrow = useNarrow()
  const asks = useWhoAsks(sessionId)
  const asked = useSession(asks ?? sessionId, firstAsked, null)
  useEffect(() => {
    if (asked === null || !isNarrow || !desk.view.getState().inspector.drawn) return
    const drawer = document.querySelector('[data-drawer=open]')
    // its keys would otherwise go on in the composer, where Enter sends
    if (drawer?.contains(document.activeElement)) document.querySelector<HTMLElement>('[data-pane=work]')?.focus({ preventScroll: true })
    desk.view.setState(({ inspector }) => ({ inspector: { ...inspector, drawn: false } }))
  }, [desk, asked, isNarrow])
}

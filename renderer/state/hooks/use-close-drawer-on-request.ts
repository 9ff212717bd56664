import { useEffect } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { useWhoAsks } from './use-agent-relations.ts'
import { useNarrow } from '../views/narrow-window.ts'

const firstAsked = (session: SessionState): string | null => pendingCalls(session)[0]?.approval?.approvalId ?? null

/**
 * Closes the inspector's drawer when a request arrives or the window becomes narrow, so that the drawer does not cover the request. The
 * user can open the drawer again, but nothing can be signed until it is closed.
 */
export function useCloseDrawerOnRequest(sessionId: SessionId): void {
  const desk = useDesk()
  const isNarrow = useNarrow()
  const asks = useWhoAsks(sessionId)
  const asked = useSession(asks ?? sessionId, firstAsked, null)
  useEffect(() => {
    if (asked === null || !isNarrow || !desk.view.getState().inspector.drawn) return
    const drawer = document.querySelector('[data-drawer=open]')
    // Otherwise, the focus would move to the composer, where Enter sends.
    if (drawer?.contains(document.activeElement)) document.querySelector<HTMLElement>('[data-pane=work]')?.focus({ preventScroll: true })
    desk.view.setState(({ inspector }) => ({ inspector: { ...inspector, drawn: false } }))
  }, [desk, asked, isNarrow])
}

import { type RefObject, useEffect } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { type Signing, UNSEEN } from '../../state/stores/approval-desk.ts'
import { showSession } from '../../state/commands/actions.ts'
import { useView } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { useNarrow } from '../../state/views/narrow.ts'
import { useFullyVisible } from '../../ui/hooks/use-fully-visible.ts'

/** Whether the person has the whole request before their eyes: read, fully on screen, no dialog and no drawer over it. */
export function useSees(tray: RefObject<HTMLElement | null>, isRead: boolean): boolean {
  const isVisible = useFullyVisible(tray)
  const isNarrow = useNarrow()
  const isCovered = useView(({ overlay, inspector, sessions }) => overlay !== null || (isNarrow && (inspector.drawn || sessions.drawn)))
  return isVisible && isRead && !isCovered
}

/** How far this window is; what is out of sight again is armed no longer, and arms anew when it comes back. */
export function useSigning(desk: Desk, sessionId: SessionId, { approval }: CallItem, sees: boolean): Signing {
  const id = approval?.approvalId
  const signing = useStore(desk.signing.store, (all) => (id && all.get(id)) ?? UNSEEN)
  const isConnected = useStore(desk.connection.state, (state) => state.kind === 'open')
  const maySign = sees && isConnected
  useEffect(() => {
    if (maySign && id && signing.kind === 'unseen') void desk.signing.shown(sessionId, id)
  }, [desk, maySign, sessionId, id, signing.kind])
  useEffect(() => {
    if (!maySign || !id) return
    return () => desk.signing.hidden(id)
  }, [desk, maySign, id])
  // until the effect has run
  return signing.kind === 'armed' && !maySign ? { kind: 'arming', note: signing.note } : signing
}

/** Once answered, or withdrawn, the focus goes back where it was before Ctrl J, unless it was taken elsewhere meanwhile: never nowhere. */
export function useFocusBack(desk: Desk, tray: RefObject<HTMLElement | null>, signing: Signing): void {
  const isAnswered = signing.kind === 'answered'
  useEffect(() => {
    const { activeElement } = document
    // the button that had it is gone already: then nothing has it
    if (isAnswered && (activeElement === document.body || tray.current?.contains(activeElement)))
      desk.wayBack.goBack((sessionId) => showSession(desk, sessionId))
  }, [desk, tray, isAnswered])
  useEffect(() => {
    const { sessionId } = desk.view.getState()
    return () =>
      void requestAnimationFrame(() => {
        // another session that came on screen has a place of its own for the focus
        if (document.activeElement === document.body && desk.view.getState().sessionId === sessionId) desk.returnPoint.goBack()
      })
  }, [desk])
}

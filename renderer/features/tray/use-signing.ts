import { type RefObject, useEffect } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { type Signing, UNSEEN } from '../../state/approval-desk.ts'
import { useView } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { useFullyVisible } from '../../ui/hooks/use-fully-visible.ts'

/** Whether the person has the whole request before their eyes: read, fully on screen, nothing over it. */
export function useSees(tray: RefObject<HTMLElement | null>, isRead: boolean): boolean {
  const isVisible = useFullyVisible(tray)
  const isOverlaid = useView((view) => view.overlay !== null)
  return isVisible && isRead && !isOverlaid
}

/** How far this window is; what is armed and out of sight again cannot be signed. */
export function useSigning(desk: Desk, sessionId: SessionId, { approval }: CallItem, sees: boolean): Signing {
  const id = approval?.approvalId
  const signing = useStore(desk.signing.store, (all) => (id && all.get(id)) ?? UNSEEN)
  const isConnected = useStore(desk.connection.state, (state) => state.kind === 'open')
  useEffect(() => {
    if (sees && isConnected && id && signing.kind === 'unseen') void desk.signing.shown(sessionId, id)
  }, [desk, sees, isConnected, sessionId, id, signing.kind])
  return signing.kind === 'armed' && !sees ? { kind: 'arming', note: signing.note } : signing
}

/** Once answered, the focus goes back where it was before Ctrl J, unless it was taken elsewhere meanwhile. */
export function useFocusBack(desk: Desk, tray: RefObject<HTMLElement | null>, signing: Signing): void {
  const isAnswered = signing.kind === 'answered'
  useEffect(() => {
    const { activeElement } = document
    // the button that had it is gone already: then nothing has it
    if (isAnswered && (activeElement === document.body || tray.current?.contains(activeElement))) desk.returnPoint.goBack()
  }, [desk, tray, isAnswered])
}

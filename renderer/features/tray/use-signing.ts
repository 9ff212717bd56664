import { type RefObject, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { type Signing, UNSEEN } from '../../state/stores/approval-desk.ts'
import { showSession } from '../../state/commands/actions.ts'
import { useIsConnected, useView } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { useNarrow } from '../../state/views/narrow-window.ts'
import { useFullyVisible } from '../../ui/hooks/use-fully-visible.ts'

/** Whether the request is completely visible: loaded, drawn, fully on screen, and not covered by a dialog or drawer. */
export function useSees(tray: RefObject<HTMLElement | null>, isRead: boolean): boolean {
  const isVisible = useFullyVisible(tray)
  const isDrawn = useAllDrawn(tray)
  const isNarrow = useNarrow()
  const isCovered = useView(({ overlay, inspector, sessions }) => overlay !== null || (isNarrow && (inspector.drawn || sessions.drawn)))
  return isVisible && isRead && isDrawn && !isCovered
}

/**
 * Whether everything in the visible part of the tray has been drawn. Diffs have the attribute `data-undrawn` until their lines are on screen.
 * False until the page has been looked at once.
 */
function useAllDrawn(tray: RefObject<HTMLElement | null>): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const element = tray.current
    if (element === null) return
    const look = (): void => {
      const frame = element.getBoundingClientRect()
      const parts = [...element.querySelectorAll('[data-undrawn]')].map((part) => part.getBoundingClientRect())
      setDrawn(!parts.some(({ top, bottom }) => top < frame.bottom && bottom > frame.top))
    }
    const observer = new MutationObserver(look)
    observer.observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-undrawn'] })
    look()
    return () => observer.disconnect()
  }, [tray])
  return isDrawn
}

const HAS_CHANGED = 'It has changed since you signed it, so nothing was done.'

/** The signing state of a request. The request is armed only while it is fully visible. */
export function useSigning(desk: Desk, sessionId: SessionId, { approval }: CallItem, sees: boolean): Signing {
  const id = approval?.approvalId
  const signing = useStore(desk.signing.store, (all) => (id && all.get(id)) ?? UNSEEN)
  const isConnected = useIsConnected()
  const maySign = sees && isConnected
  useEffect(() => {
    if (maySign && id && signing.kind === 'unseen') void desk.signing.shown(sessionId, id)
  }, [desk, maySign, sessionId, id, signing.kind])
  useEffect(() => {
    if (!maySign || !id) return
    return () => desk.signing.hidden(id)
  }, [desk, maySign, id])
  const isChanged = approval?.isChanged === true
  return useMemo(() => {
    const withNote = isChanged && 'note' in signing && signing.note === null ? { ...signing, note: HAS_CHANGED } : signing
    // The request counts as not armed until the effect above has disarmed it in the store.
    return withNote.kind === 'armed' && !maySign ? { kind: 'arming', note: withNote.note } : withNote
  }, [isChanged, signing, maySign])
}

/**
 * When the request is answered or withdrawn, returns the focus to the place where it was before Ctrl+J, unless the user has moved the focus
 * since.
 */
export function useFocusBack(desk: Desk, tray: RefObject<HTMLElement | null>, signing: Signing, call: CallItem | undefined): void {
  const requestedAt = call?.approval?.requestedAt ?? call?.at ?? 0
  const isAnswered = signing.kind === 'answered'
  useEffect(() => {
    const { activeElement } = document
    // If the focused button was removed, the body has the focus.
    if (isAnswered && (activeElement === document.body || tray.current?.contains(activeElement)))
      desk.returnPlace.goBack(requestedAt, (sessionId) => showSession(desk, sessionId))
  }, [desk, tray, isAnswered, requestedAt])
  useEffect(() => {
    const { sessionId } = desk.view.getState()
    return () =>
      void requestAnimationFrame(() => {
        // When another session is opened, that session handles the focus.
        if (document.activeElement === document.body && desk.view.getState().sessionId === sessionId) desk.returnFocus.goBack()
      })
  }, [desk])
}

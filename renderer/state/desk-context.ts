import { createContext, useContext, useRef } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { Desk } from './desk.ts'
import { sameMembers } from './same-members.ts'
import type { OpenSession } from './stores/session-store.ts'
import type { View } from './stores/view-store.ts'

export const DeskContext = createContext<Desk | null>(null)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('No DeskContext around this component.')
  return desk
}

/** Selects a part of the view. The parts are compared shallowly. */
export function useView<T>(select: (view: View) => T): T {
  return useStore(useDesk().view, useSamePart(select))
}

/** Selects a part of an open session. The parts are compared shallowly. Returns `absent` until the first snapshot. */
export function useSession<T>(sessionId: SessionId, select: (session: SessionState) => T, absent: T): T {
  const { store } = useDesk().session(sessionId)
  return useStore(
    store,
    useSamePart(({ session }: OpenSession) => (session ? select(session) : absent)),
  )
}

/** Wraps a selector so that it returns its previous result if the new result has the same members. */
function useSamePart<S, T>(select: (state: S) => T): (state: S) => T {
  const last = useRef<T>(undefined)
  return (state) => {
    const part = select(state)
    return sameMembers(last.current, part) ? (last.current as T) : (last.current = part)
  }
}

/** The folder of the current session. Null if no session is open. */
export function useCurrentFolder(): string | null {
  const sessionId = useView((view) => view.sessionId)
  return useStore(useDesk().list, ({ sessions }) => (sessionId === null ? null : (sessions.get(sessionId)?.folder ?? null)))
}

/** Whether requests to main are possible now. */
export function useIsConnected(): boolean {
  return useStore(useDesk().connection.state, ({ kind }) => kind === 'open')
}

const WHY = 'The window is not connected'

/** Why requests to main are impossible now, as the tooltip of a disabled control. Null if they are possible. */
export function useOfflineReason(): string | null {
  return useIsConnected() ? null : WHY
}

import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { MovedFolder } from '../../../../shared/api/sessions.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useDesk, useIsConnected } from '../../desk-context.ts'
import { isBroughtIn } from '../../views/session-families.ts'

/**
 * How the folder and the layer of a session differ. It looks again when the session is shown, when a turn ends (`isIdle`), when its work is
 * brought in, when the folder's changes are taken into the layer, and when the window gets the focus. `moved` is null until the first look
 * has ended, and without a session.
 */
export function useMovedFolder(sessionId: SessionId | null, isIdle: boolean) {
  const desk = useDesk()
  const isConnected = useIsConnected()
  const isBringingIn = useStore(desk.list, ({ sessions }) => sessionId !== null && isBroughtIn(sessions, sessionId))
  const takeOvers = useStore(desk.takeOvers, ({ count }) => count)
  const [found, setFound] = useState<{ readonly of: SessionId; readonly moved: MovedFolder } | null>(null)
  const read = useCallback(async (): Promise<MovedFolder | null> => {
    const { client } = desk.connection
    if (sessionId === null || !client || !isConnected) return null
    return client.sessions.movedFolder({ sessionId }).catch(() => null)
  }, [desk, sessionId, isConnected])
  const look = useCallback(
    () =>
      read().then((moved) => {
        if (moved !== null && sessionId !== null) setFound({ of: sessionId, moved })
        return moved
      }),
    [read, sessionId],
  )
  useEffect(() => {
    const onChange = (): void => void look()
    const first = requestAnimationFrame(onChange)
    window.addEventListener('focus', onChange)
    return () => {
      cancelAnimationFrame(first)
      window.removeEventListener('focus', onChange)
    }
  }, [look, isIdle, isBringingIn, takeOvers])
  return { moved: found?.of === sessionId ? found.moved : null, look }
}

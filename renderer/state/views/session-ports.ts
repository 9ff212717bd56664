import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { isFar } from '../../../shared/places/address.ts'
import type { SessionPort } from '../../../shared/places/ports-api.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { isBesideFolder } from '../commands/layer-actions.ts'
import { useDesk, useIsConnected, useSession } from '../desk-context.ts'

const NONE: readonly SessionPort[] = []

/**
 * The ports on which the session's programs listen on another machine or in a layer, and those that are forwarded. Always empty for a
 * session in a folder of this computer.
 */
export function useSessionPorts(sessionId: SessionId): readonly SessionPort[] {
  const desk = useDesk()
  const isConnected = useIsConnected()
  const isThere = useStore(desk.list, ({ sessions }) => isFar(sessions.get(sessionId)?.folder ?? ''))
  const isBeside = useSession(sessionId, ({ config }) => isBesideFolder(config), false)
  const [seen, setSeen] = useState<{ readonly of: SessionId; readonly ports: readonly SessionPort[] } | null>(null)
  useEffect(() => {
    const { client } = desk.connection
    if (!isConnected || !client || !(isThere || isBeside)) return
    const unmounted = new AbortController()
    const follow = async (): Promise<void> => {
      for await (const ports of client.ports.watch({ sessionId }, unmounted.signal)) setSeen({ of: sessionId, ports })
    }
    // A lost connection is shown elsewhere, and the next one starts again.
    follow().catch(() => {})
    return () => unmounted.abort()
  }, [desk, sessionId, isConnected, isThere, isBeside])
  return seen?.of === sessionId ? seen.ports : NONE
}

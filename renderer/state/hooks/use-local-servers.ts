import { useCallback, useEffect, useState } from 'react'
import type { LocalServer } from '../../../shared/api/settings.ts'
import { useDesk } from '../desk-context.ts'

export interface LocalServers {
  /** The model servers found by the last search. Null before the first search has ended. */
  readonly found: readonly LocalServer[] | null
  readonly isLooking: boolean
  readonly look: () => void
}

/** Searches for model servers on this computer: when `isWanted` becomes true, after each reconnection, and on request. */
export function useLocalServers(isWanted = true): LocalServers {
  const { connection } = useDesk()
  const [found, setFound] = useState<readonly LocalServer[] | null>(null)
  const [asked, setAsked] = useState(0)
  const [isLooking, setLooking] = useState(false)
  useEffect(() => {
    if (!isWanted) return
    const kept = connection.keep(async (client, signal) => {
      setLooking(true)
      try {
        const servers = await client.settings.localServers({})
        if (!signal.aborted) setFound(servers)
      } finally {
        setLooking(false)
      }
    })
    return () => kept.dispose()
  }, [connection, isWanted, asked])
  return { found, isLooking, look: useCallback(() => setAsked((times) => times + 1), []) }
}

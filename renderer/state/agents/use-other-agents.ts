import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ListedOtherAgents } from '../../../shared/agents/other-agents-api.ts'
import { useDesk } from '../desk-context.ts'

/** The agents of other makers, found when the caller appears and when `look` is called. Null until they are known, or if not wanted. */
export function useOtherAgents(isWanted = true): { readonly found: ListedOtherAgents | null; readonly look: () => void } {
  const desk = useDesk()
  const isConnected = useStore(desk.connection.state, (state) => state.kind === 'open')
  const [found, setFound] = useState<ListedOtherAgents | null>(null)
  const look = useCallback((): void => {
    const { client } = desk.connection
    if (!isWanted || !isConnected || !client) return
    client.agents.list({}).then(setFound, () => {})
  }, [desk, isConnected, isWanted])
  useEffect(look, [look])
  return { found, look }
}

/** The name of an agent of another maker. Null for Countersign's own, whose id is null. */
export function useAgentName(id: string | null): string | null {
  const { found } = useOtherAgents(id !== null)
  return id === null ? null : (found?.agents.find((agent) => agent.id === id)?.name ?? id)
}

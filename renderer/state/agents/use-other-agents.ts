import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ListedOtherAgents } from '../../../shared/agents/other-agents-api.ts'
import { useDesk } from '../desk-context.ts'

/** Lists the third-party agents on mount and when `look` is called. `found` is null until the first answer, and if `isWanted` is false. */
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

/** The display name of a third-party agent. Null for Countersign's own agent, whose id is null. */
export function useAgentName(id: string | null): string | null {
  const { found } = useOtherAgents(id !== null)
  return id === null ? null : (found?.agents.find((agent) => agent.id === id)?.name ?? id)
}

import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { AgentOffers } from '../../../shared/agents/agent-offers.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { agentIn } from '../commands/actions.ts'
import { attemptRequest, report } from '../commands/attempt-request.ts'
import { useDesk, useSession } from '../desk-context.ts'

interface OffersOfAgent {
  /** Null if nothing is known, or for Countersign's own agent. */
  readonly offers: AgentOffers | null
  choose(id: string, value: string): void
}

/** The commands and choices of the session's third-party agent. Asks again when its turn or a step starts or ends, and after each choice. */
export function useAgentOffers(sessionId: SessionId): OffersOfAgent {
  const desk = useDesk()
  const agent = useSession(sessionId, (session) => agentIn(session.config.where), null)
  const run = useSession(sessionId, (session) => session.run, 'IDLE')
  const items = useSession(sessionId, (session) => session.items.length, 0)
  const isConnected = useStore(desk.connection.state, (state) => state.kind === 'open')
  const [offers, setOffers] = useState<AgentOffers | null>(null)
  const look = useCallback((): void => {
    const { client } = desk.connection
    if (agent === null || !isConnected || !client) return
    client.agents.offers({ sessionId }).then(setOffers, () => {})
  }, [desk, sessionId, agent, isConnected])
  useEffect(look, [look, run, items])
  return {
    offers: agent === null ? null : offers,
    choose(id, value) {
      const asked = attemptRequest(desk, 'The choice was not made', (client) => client.agents.choose({ sessionId, id, value }))
      void report(desk, asked).then(look)
    },
  }
}

import type { AgentOffers } from '../../../shared/agents/agent-offers.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { agentIn } from '../commands/actions.ts'
import { attemptRequest, report } from '../commands/attempt-request.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { useAnswer } from '../use-answer.ts'

interface OffersOfAgent {
  /** Null if nothing is known, or for Countersign's own agent. */
  readonly offers: AgentOffers | null
  choose(id: string, value: string): void
}

/** The commands and choices of the session's third-party agent. Asks again when its turn or a step starts or ends, and after each choice. */
export function useAgentOffers(sessionId: SessionId): OffersOfAgent {
  const desk = useDesk()
  const agent = useSession(sessionId, (session) => agentIn(session.config.where), null)
  // Constant for Countersign's own agent, so that its steps do not render the composer again.
  const moment = useSession(sessionId, ({ config, run, items }) => (agentIn(config.where) === null ? '' : `${run} ${items.length}`), '')
  const { value, again } = useAnswer(sessionId, agent === null ? null : (client) => client.agents.offers({ sessionId }), [moment])
  return {
    offers: agent === null ? null : value,
    choose(id, value) {
      const asked = attemptRequest(desk, 'The choice was not made', (client) => client.agents.choose({ sessionId, id, value }))
      void report(desk, asked).then(again)
    },
  }
}

import type { AppHandlers } from '../../shared/api/contract.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { AgentChoices } from './agent-choices.ts'
import { agentIdOf, listedAgents } from './known-agents.ts'
import type { Store } from '../store/store.ts'

export interface OtherAgentsParts {
  readonly dataFolder: string
  readonly sessions: Pick<Store['sessions'], 'get'>
  readonly choices: AgentChoices
}

/** Handles the requests about third-party agents. */
export function otherAgentsHandlers({ dataFolder, sessions, choices }: OtherAgentsParts): AppHandlers['agents'] {
  const agentOf = (sessionId: SessionId): string | null => {
    const session = sessions.get(sessionId)
    return session && agentIdOf(session.config)
  }
  return {
    list: () => listedAgents(dataFolder),
    offers({ sessionId }) {
      const agent = agentOf(sessionId)
      return agent === null ? null : choices.offers(sessionId, agent)
    },
    async choose({ sessionId, id, value }) {
      const chosen = await choices.choose(sessionId, id, value)
      return chosen.ok ? { ok: true } : { ok: false, trouble: chosen.failure }
    },
  }
}

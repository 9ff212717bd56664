import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Done } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { unlessStorageFails } from './storage-failures.ts'
import type { AgentChoices } from '../foreign-agents/agent-choices.ts'
import { agentIdOf, listedAgents } from '../foreign-agents/known-agents.ts'
import type { Store } from '../store/store.ts'

export interface OtherAgentsParts {
  readonly dataFolder: string
  readonly sessions: Pick<Store['sessions'], 'get'>
  readonly choices: AgentChoices
}

const refused = (trouble: Trouble): Done => ({ ok: false, trouble })

/** Handles the requests about third-party agents. */
export function otherAgentsHandlers({ dataFolder, sessions, choices }: OtherAgentsParts): AppHandlers['agents'] {
  const agentOf = (sessionId: SessionId): string | null => {
    const session = sessions.get(sessionId)
    return session && agentIdOf(session.config)
  }
  return {
    list: () => listedAgents(dataFolder),
    offers: ({ sessionId }) =>
      unlessStorageFails(
        () => {
          const agent = agentOf(sessionId)
          return agent === null ? null : choices.offers(sessionId, agent)
        },
        () => null,
      ),
    choose: ({ sessionId, id, value }) =>
      unlessStorageFails<Done>(async () => {
        const chosen = await choices.choose(sessionId, id, value)
        return chosen.ok ? { ok: true } : { ok: false, trouble: chosen.failure }
      }, refused),
  }
}

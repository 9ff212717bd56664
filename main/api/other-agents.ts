import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Done } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { openInEditor } from '../environment/open-in-editor.ts'
import { unlessStorageFails } from './storage-failures.ts'
import type { AgentChoices } from '../foreign-agents/agent-choices.ts'
import { AGENT_SESSION_MARKER, agentLog } from '../foreign-agents/agent-log.ts'
import { agentIdOf, knownAgent, listedAgents } from '../foreign-agents/known-agents.ts'
import type { Store } from '../store/store.ts'

export interface OtherAgentsParts {
  readonly dataFolder: string
  readonly sessions: Pick<Store['sessions'], 'get' | 'markers'>
  readonly choices: AgentChoices
  /** The user's choice of an editor. */
  editor(): string
}

const refused = (trouble: Trouble): Done => ({ ok: false, trouble })

/** Handles the requests about third-party agents. */
export function otherAgentsHandlers({ dataFolder, sessions, choices, editor }: OtherAgentsParts): AppHandlers['agents'] {
  const agentOf = (sessionId: SessionId): string | null => {
    const session = sessions.get(sessionId)
    return session && agentIdOf(session.config)
  }
  const logOf = async (sessionId: SessionId): Promise<string | null> => {
    const id = agentOf(sessionId)
    const agent = id === null ? null : knownAgent(dataFolder, id)
    const theirs = sessions.markers(sessionId).get(AGENT_SESSION_MARKER)
    return agent === null || theirs === undefined ? null : agentLog(agent.state, theirs)
  }
  return {
    log: ({ sessionId }) =>
      unlessStorageFails(
        async () => ({ path: await logOf(sessionId) }),
        () => ({ path: null }),
      ),
    openLog: ({ sessionId }) =>
      unlessStorageFails<Done>(async () => {
        const path = await logOf(sessionId)
        const trouble = path === null ? NO_LOG : await openInEditor(editor(), path, null)
        return trouble === null ? { ok: true } : refused(trouble)
      }, refused),
    list: () => listedAgents(dataFolder, choices.signIns),
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

const NO_LOG: Trouble = {
  code: 'no_agent_log',
  what: 'The agent keeps no log of this session that Countersign can find.',
  kept: 'The session and its history are unchanged.',
  todo: 'Read the session here: its history has every step.',
}

import { z } from 'zod'
import type { AgentOffers } from '../../shared/agents/agent-offers.ts'
import type { SignIn } from '../../shared/agents/other-agents-api.ts'
import { type Disposable, disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { calledCommand } from '../../shared/session/called-command.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { ForeignAgent, RefusedChoice } from '../agent/ports/foreign-agent.ts'

interface Markers {
  markers(sessionId: SessionId): ReadonlyMap<string, string>
  mark(sessionId: SessionId, name: string, value: string): void
}

/** What each session's agent offers, and what the user has chosen. Both are stored with the session. */
export interface AgentChoices {
  /**
   * What the session's agent offers. If it does not run: what it last offered in this session, or else in any session with `agent`, and the
   * user's choices as current values, because it starts with them. Null if nothing is known.
   */
  offers(sessionId: SessionId, agent: string): AgentOffers | null
  /** Whether the message calls a command of the session's agent. */
  hasCommand(sessionId: SessionId, text: string): boolean
  /** Stores what a running agent offers. */
  keep(sessionId: SessionId, agent: string, offers: AgentOffers): void
  /** Remembers the command lines that sign in to the agent's account, as the agent names them. */
  keepSignIns(agent: string, signIns: readonly SignIn[]): void
  /** Empty if the agent named none, or was not started since Countersign was launched. */
  signIns(agent: string): readonly SignIn[]
  /** The chosen values by the ids of the choices. */
  chosen(sessionId: SessionId): Readonly<Record<string, string>>
  /** A running agent takes the choice at once. Any other takes it when it starts. */
  choose(sessionId: SessionId, id: string, value: string): Promise<Result<null, Trouble>>
  /** Passes the choices of this session to its running agent, until disposed. */
  running(sessionId: SessionId, choose: ForeignAgent['choose']): Disposable
}

const OFFERS = 'agent-offers'
const CHOSEN = 'agent-chosen'

const Chosen = z.record(z.string(), z.string())

export function createAgentChoices(sessions: Markers): AgentChoices {
  const agents = new Map<SessionId, ForeignAgent['choose']>()
  const newest = new Map<string, AgentOffers>()
  const signIns = new Map<string, readonly SignIn[]>()
  const chosen = (sessionId: SessionId): Readonly<Record<string, string>> => {
    const kept = sessions.markers(sessionId).get(CHOSEN)
    return kept === undefined ? {} : Chosen.parse(JSON.parse(kept))
  }
  return {
    chosen,
    keepSignIns: (agent, named) => void signIns.set(agent, named),
    signIns: (agent) => signIns.get(agent) ?? [],
    offers(sessionId, agent) {
      const kept = sessions.markers(sessionId).get(OFFERS)
      const known = kept === undefined ? newest.get(agent) : (JSON.parse(kept) as AgentOffers)
      if (!known) return null
      const own = agents.has(sessionId) ? {} : chosen(sessionId)
      const choices = known.choices.map((choice) => ({ ...choice, current: own[choice.id] ?? choice.current }))
      return { ...known, choices }
    },
    hasCommand(sessionId, text) {
      const called = calledCommand(text)
      const kept = called && sessions.markers(sessionId).get(OFFERS)
      return kept ? (JSON.parse(kept) as AgentOffers).commands.some(({ name }) => name === called?.name) : false
    },
    keep(sessionId, agent, offers) {
      newest.set(agent, offers)
      sessions.mark(sessionId, OFFERS, JSON.stringify(offers))
    },
    async choose(sessionId, id, value) {
      const refused = (await agents.get(sessionId)?.(id, value)) ?? null
      if (refused) return failed(notChosen(refused))
      sessions.mark(sessionId, CHOSEN, JSON.stringify({ ...chosen(sessionId), [id]: value }))
      return ok(null)
    },
    running(sessionId, choose) {
      agents.set(sessionId, choose)
      return disposable(() => {
        if (agents.get(sessionId) === choose) agents.delete(sessionId)
      })
    },
  }
}

/** A warning for the user. It does not stop the turn, because the layer confines the agent in every mode. */
export const refusedAtStart = (agent: string, { name, wanted, current, why }: RefusedChoice): Trouble => ({
  code: 'agent_choice_refused',
  what: `${agent} did not take “${wanted}” as its ${name.toLowerCase()}${reason(why, current)}`,
  kept: KEPT,
  todo:
    current === null ? 'Nothing needs to be done.' : 'If it must not work like this, stop it and choose another value below the message.',
})

const notChosen = ({ current, why }: RefusedChoice): Trouble => ({
  code: 'agent_choice_refused',
  what: `The agent did not take the choice${reason(why, current)}`,
  kept: KEPT,
  todo: current === null ? 'Nothing needs to be done.' : 'Choose another value.',
})

const KEPT = 'It works in its layer as before, reaches only its own hosts, and the folder changes only when you sign.'

const reason = (why: string, current: string | null): string =>
  current === null ? ': it no longer offers this choice.' : ` (${why.replace(/[.\s]+$/u, '')}). It now works with “${current}”.`

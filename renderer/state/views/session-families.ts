import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ParentLink } from '../../../shared/session/events.ts'
import { shortCount } from '../../../shared/lib/short-count.ts'
import { counted, money } from '../../ui/format.ts'

/** A subagent's session in the list. */
export type AgentSummary = SessionSummary & { readonly parent: ParentLink }

type Known = ReadonlyMap<SessionId, SessionSummary>

export function isAgent(session: SessionSummary): session is AgentSummary {
  return session.parent !== null
}

/** The subagents below a session, in the order of their start. Each is followed by its own subagents. */
export function familyOf(sessions: Known, sessionId: SessionId): readonly AgentSummary[] {
  const byParent = Map.groupBy([...sessions.values()].filter(isAgent), ({ parent }) => parent.sessionId)
  const below = (id: SessionId): readonly AgentSummary[] =>
    (byParent.get(id) ?? []).toSorted((a, b) => a.startedAt - b.startedAt).flatMap((agent) => [agent, ...below(agent.sessionId)])
  return byParent.size === 0 ? [] : below(sessionId)
}

/** A session in a family of forks. `depth` is the number of forks between this session and the first one. */
export interface ForkRelative {
  readonly session: SessionSummary
  readonly depth: number
}

/**
 * All sessions that are direct or indirect forks of the same session, each source before its forks. `forks` contains the source of each
 * fork. Deleted sessions are left out.
 */
export function forkFamily(sessions: Known, forks: ReadonlyMap<string, SessionId>, sessionId: SessionId): readonly ForkRelative[] {
  const bySource = Map.groupBy(forks.keys(), (fork) => forks.get(fork) ?? sessionId)
  let first = sessionId
  for (let source = forks.get(first); source !== undefined; source = forks.get(first)) first = source
  const startOf = (id: string): number => sessions.get(id as SessionId)?.startedAt ?? 0
  const below = (id: SessionId, depth: number): readonly ForkRelative[] => {
    const session = sessions.get(id)
    const own = (bySource.get(id) ?? []).toSorted((a, b) => startOf(a) - startOf(b))
    return [...(session ? [{ session, depth }] : []), ...own.flatMap((fork) => below(fork as SessionId, depth + 1))]
  }
  return below(first, 0)
}

/** The root session of a subagent. For a root session, the session itself. */
export function rootOf(sessions: Known, sessionId: SessionId): SessionId {
  const parent = sessions.get(sessionId)?.parent
  return parent ? rootOf(sessions, parent.sessionId) : sessionId
}

/** The title of a session. For a subagent, its type and the title of its root session. */
export function titleOfSession(sessions: Known, session: SessionSummary | undefined): string {
  if (!session) return ''
  if (!isAgent(session)) return session.title
  const whose = sessions.get(rootOf(sessions, session.sessionId))?.title ?? ''
  return whose === '' ? agentName(session) : `${agentName(session)} of ${whose}`
}

/**
 * The title of a session in the list. A subagent is named by its type and its task, and a request to bring in work by the session whose work it
 * is.
 */
export function titleInList(sessions: Known, session: SessionSummary): string {
  if (isAgent(session)) return agentTitle(session)
  const { where } = session.config
  const whose = where?.kind === 'bring-in' && session.need !== null ? sessions.get(where.from)?.title : undefined
  return whose || session.title
}

/** The type of a subagent and its task: "explore agent: Find where dates are parsed". */
function agentTitle(agent: AgentSummary): string {
  return agent.title === '' ? agentName(agent) : `${agentName(agent)}: ${agent.title}`
}

/** Returns a name such as "explore agent". */
export const agentName = ({ parent }: AgentSummary): string => `${parent.agentType} agent`

/**
 * The session itself if it waits for the user, otherwise its subagent that has waited longest, otherwise the session that asks to sign what
 * a third-party agent has changed in this one. Null if none is waiting.
 */
export function whoAsks(sessions: Known, sessionId: SessionId): SessionSummary | null {
  const self = sessions.get(sessionId)
  if (self && self.need !== null) return self
  const asking = familyOf(sessions, sessionId).filter(({ need }) => need !== null)
  return asking.toSorted((a, b) => a.cursor - b.cursor)[0] ?? (self && hasOtherAgent(self) ? whoBringsIn(sessions, sessionId) : null)
}

const hasOtherAgent = ({ config: { where } }: SessionSummary): boolean => where?.kind === 'beside' && where.agent !== undefined

/** The session that asks to bring in the work of this one. Null if none asks. */
export const whoBringsIn = (sessions: Known, from: SessionId): SessionSummary | null =>
  bringInsOf(sessions, from).find(({ need }) => need !== null) ?? null

/** Whether work of this session is being brought in: a request waits, or is being carried out. */
export const isBroughtIn = (sessions: Known, from: SessionId): boolean => bringInsOf(sessions, from).some(({ run }) => run !== 'IDLE')

const bringInsOf = (sessions: Known, from: SessionId): readonly SessionSummary[] =>
  [...sessions.values()].filter(({ config: { where } }) => where?.kind === 'bring-in' && where.from === from)

/** Describes the limit that a subagent has reached: "reached its 2 turns". */
export function reachedLimit({ parent, spent }: Pick<SessionSummary, 'parent' | 'spent'>): string {
  const { turns = null, tokens = null, costUsd = null } = parent?.lease ?? {}
  if (turns !== null && (spent?.answers ?? 0) >= turns) return `reached its ${counted(turns, 'turn')}`
  if (tokens !== null && (spent?.tokens ?? 0) >= tokens) return `reached its ${shortCount(tokens)} tokens`
  if (costUsd !== null && (spent?.costUsd ?? 0) >= costUsd) return `reached its ${money(costUsd)}`
  return 'reached its limit'
}

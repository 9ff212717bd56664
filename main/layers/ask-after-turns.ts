import type { Disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { isIdle } from '../../shared/session/fold/run-state.ts'
import { agentIdOf } from '../foreign-agents/known-agents.ts'
import { follow, type WorkParts } from '../sessions/work-and-needs.ts'

/** Calls `ask` after each turn of a third-party agent, until disposed. If it rejects, the user can still ask. */
export function askAfterTurns({ sessions }: Pick<WorkParts, 'sessions'>, ask: (sessionId: SessionId) => Promise<void>): Disposable {
  const ends = new Map<SessionId, number>()
  return follow(sessions, (item) => {
    if (item.kind === 'all') for (const { sessionId, turnEnd } of item.sessions) ends.set(sessionId, turnEnd)
    else if (item.kind === 'removed') ends.delete(item.sessionId)
    else {
      const { sessionId, turnEnd, config } = item.session
      if (!isIdle(item.session) || turnEnd <= (ends.get(sessionId) ?? 0)) return
      ends.set(sessionId, turnEnd)
      if (agentIdOf(config) !== null) ask(sessionId).catch(() => {})
    }
  })
}

import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { whoAsks } from '../views/session-families.ts'

/** The step in a session's ledger that started a subagent. Null if another session started it or if it is not a subagent. */
export function useSpawningStep(agent: SessionId, sessionId: SessionId): number | null {
  const parent = useStore(useDesk().list, ({ sessions }) => sessions.get(agent)?.parent ?? null)
  const lender = parent?.sessionId === sessionId ? parent.toolCallId : null
  return useSession<number | null>(
    sessionId,
    ({ items }) => items.findLast((item): item is CallItem => item.kind === 'call' && item.toolCallId === lender)?.step ?? null,
    null,
  )
}

/** The session whose request the tray shows: this session or one of its subagents. Null if no request is waiting. */
export function useWhoAsks(sessionId: SessionId): SessionId | null {
  return useStore(useDesk().list, ({ sessions }) => whoAsks(sessions, sessionId)?.sessionId ?? null)
}

import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { whoAsks } from '../views/families.ts'

/** The number of the step in a session's ledger that lent a subagent its work; null: it was lent elsewhere, or is no subagent. */
export function useLendingStep(agent: SessionId, sessionId: SessionId): number | null {
  const parent = useStore(useDesk().list, ({ sessions }) => sessions.get(agent)?.parent ?? null)
  const lender = parent?.sessionId === sessionId ? parent.toolCallId : null
  return useSession<number | null>(
    sessionId,
    ({ items }) => items.findLast((item): item is CallItem => item.kind === 'call' && item.toolCallId === lender)?.step ?? null,
    null,
  )
}

/** Whose request the tray of a session has: its own, else that of one of its subagents; null: nobody's. */
export function useWhoAsks(sessionId: SessionId): SessionId | null {
  return useStore(useDesk().list, ({ sessions }) => whoAsks(sessions, sessionId)?.sessionId ?? null)
}

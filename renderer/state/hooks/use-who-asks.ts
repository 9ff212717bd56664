import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../desk-context.ts'
import { whoAsks } from '../views/families.ts'

/** Whose request the tray of a session has: its own, else that of one of its subagents; null: nobody's. */
export function useWhoAsks(sessionId: SessionId): SessionId | null {
  return useStore(useDesk().list, ({ sessions }) => whoAsks(sessions, sessionId)?.sessionId ?? null)
}

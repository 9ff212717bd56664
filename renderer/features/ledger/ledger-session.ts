import { createContext, useContext } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'

/** Whose ledger is drawn: not always that of the session on screen, since the Agents tab shows those of its subagents. */
export const LedgerSession = createContext<SessionId | null>(null)

export function useLedgerSession(): SessionId {
  const sessionId = useContext(LedgerSession)
  if (sessionId === null) throw new Error('No LedgerSession around this component.')
  return sessionId
}

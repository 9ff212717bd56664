import { createContext, useContext } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'

/** The session in whose ledger a component is. The Agents tab shows ledgers of subagents beside the ledger of the current session. */
export const LedgerSession = createContext<SessionId | null>(null)

export function useLedgerSession(): SessionId {
  const sessionId = useContext(LedgerSession)
  if (sessionId === null) throw new Error('No LedgerSession around this component.')
  return sessionId
}

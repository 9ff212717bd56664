import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'

/** Parts of other features. They show the session of the desk in the surrounding `DeskContext`. */
export interface ReplayParts {
  readonly ledgerOf: (sessionId: SessionId, title: string) => ReactNode
  readonly requestOf: (sessionId: SessionId, call: CallItem) => ReactNode
  readonly changesOf: (sessionId: SessionId) => ReactNode
  readonly commandsOf: (sessionId: SessionId) => ReactNode
  readonly planOf: (sessionId: SessionId) => ReactNode
  readonly agentsOf: (sessionId: SessionId) => ReactNode
}

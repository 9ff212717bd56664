import type { SessionId } from '../../lib/ids.ts'
import type { ParentLink, SessionConfigured } from '../events.ts'

/** The data to start a new session with. */
export interface NewSession extends SessionConfigured {
  readonly cwd: string
  /** If left out, a new id is made. */
  readonly sessionId?: SessionId
  /** Set for a subagent's session. */
  readonly parent?: ParentLink
}

import type { SessionId } from '../../lib/ids.ts'
import type { ParentLink, SessionConfigured } from '../events.ts'

/** How a new session starts. */
export interface NewSession extends SessionConfigured {
  readonly cwd: string
  /** Left out: a new id. */
  readonly sessionId?: SessionId
  /** For a subagent's session. */
  readonly parent?: ParentLink
}

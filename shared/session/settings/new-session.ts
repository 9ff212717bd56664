import type { SessionId } from '../../lib/ids.ts'
import type { ParentLink, SessionConfigured } from '../events.ts'

/** The defaults for new sessions. */
export interface NewSession extends SessionConfigured {
  readonly cwd: string
  /** Left out: a fresh one. */
  readonly sessionId?: SessionId
  /** Of a subagent's. */
  readonly parent?: ParentLink
}

import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ParentLink } from '../../../shared/session/events.ts'
import type { Connection } from '../database/connection.ts'

interface Row {
  readonly parent: string | null
  readonly kind: string | null
}

/**
 * Finds the session in whose layer a session works: its own layer, or that of the session that started it. Null if it works in the folder
 * itself, and for a session that does not exist.
 */
export function layerOfSession(db: Connection): (sessionId: SessionId) => SessionId | null {
  const row = db.prepare<[SessionId], Row>(`SELECT parent, config ->> '$.where.kind' AS kind FROM sessions WHERE session_id = ?`)
  const layerOf = (sessionId: SessionId): SessionId | null => {
    const { parent = null, kind = null } = row.get(sessionId) ?? {}
    if (parent === null) return kind === 'beside' ? sessionId : null
    const { ownCopy, sessionId: starter } = JSON.parse(parent) as ParentLink
    return ownCopy ? sessionId : layerOf(starter)
  }
  return layerOf
}

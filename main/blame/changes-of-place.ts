import type { SessionId } from '../../shared/lib/ids.ts'
import type { ParentLink } from '../../shared/session/events.ts'
import type { Connection } from '../store/database/connection.ts'
import { FORK_MARKER, type ForkNote } from '../store/log/fork-session.ts'
import { layerOfSession } from '../store/log/layer-of-session.ts'

interface MadeLayer {
  /** The first event of the layer's session. Earlier changes are those of the place from which the layer was made. */
  readonly seq: number
  /** The layer from which it was made. Null if it was made from the folder. */
  readonly from: SessionId | null
}

/**
 * Tells whether a change was made in this place: the folder if `layer` is null, otherwise the layer of this session, which begins with what
 * its origin contained.
 */
export function changesOfPlace(
  db: Connection,
  layer: SessionId | null,
): (change: { readonly session_id: SessionId; readonly seq: number }) => boolean {
  const layerOf = layerOfSession(db)
  const known = new Map<SessionId, SessionId | null>()
  const placeOf = (sessionId: SessionId): SessionId | null => {
    const place = known.get(sessionId) ?? layerOf(sessionId)
    known.set(sessionId, place)
    return place
  }
  const chain = madeLayers(db, layer, layerOf)
  return ({ session_id: sessionId, seq }) => {
    let place = layer
    for (const { seq: madeAt, from } of chain) {
      if (seq >= madeAt) break
      place = from
    }
    return placeOf(sessionId) === place
  }
}

/** The layer, then the layer from which it was made, and so on. */
function madeLayers(db: Connection, layer: SessionId | null, layerOf: (id: SessionId) => SessionId | null): readonly MadeLayer[] {
  const first = db.prepare<[SessionId], number>('SELECT min(seq) FROM events WHERE session_id = ?').pluck()
  const parent = db.prepare<[SessionId], string>('SELECT parent FROM sessions WHERE session_id = ?').pluck()
  const fork = db.prepare<[SessionId, string], string>('SELECT value FROM markers WHERE session_id = ? AND name = ?').pluck()
  const originOf = (sessionId: SessionId): SessionId | null => {
    const starter = parent.get(sessionId)
    if (starter) return layerOf((JSON.parse(starter) as ParentLink).sessionId)
    const note = fork.get(sessionId, FORK_MARKER)
    return note === undefined ? null : layerOf((JSON.parse(note) as ForkNote).from)
  }
  const layers: MadeLayer[] = []
  for (let one = layer; one !== null;) {
    const from = originOf(one)
    layers.push({ seq: first.get(one) ?? 0, from })
    one = from
  }
  return layers
}

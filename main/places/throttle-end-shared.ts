import { type Place, placeKey } from '../../shared/places/address.ts'
import type { ConnectionOptions } from './programs.ts'

/** Minimum time in ms between two ends of one shared connection. */
const MIN_INTERVAL_MS = 30_000

type EndShared = (place: Place, connection: ConnectionOptions) => Promise<void>

/**
 * Ends the shared connection to a place at most every 30 s: a younger one is the new connection, which other folders of the machine already
 * use. Calls within that time wait for the earlier call. `now`: in ms, from any starting point.
 */
export function throttleEndShared(endShared: EndShared, now = () => performance.now()): EndShared {
  const last = new Map<string, { readonly at: number; readonly ended: Promise<void> }>()
  return (place, connection) => {
    const key = placeKey(place)
    const known = last.get(key)
    if (known && now() - known.at < MIN_INTERVAL_MS) return known.ended
    const ended = endShared(place, connection)
    last.set(key, { at: now(), ended })
    return ended
  }
}

import { type Place, placeKey } from '../../shared/places/address.ts'
import type { WayThere } from './programs.ts'

/** For this long, in ms, a shared connection is not ended again. */
const ANEW_MS = 30_000

type EndShared = (place: Place, way: WayThere) => Promise<void>

/**
 * Ends the shared connection to a place unless that began less than 30 s ago: what is shared then is the new connection, which other folders
 * of the machine use. Whoever comes meanwhile waits until the old one has ended. `now`: in ms, from any beginning.
 */
export function notTooOften(endShared: EndShared, now = () => performance.now()): EndShared {
  const last = new Map<string, { readonly at: number; readonly ended: Promise<void> }>()
  return (place, way) => {
    const key = placeKey(place)
    const known = last.get(key)
    if (known && now() - known.at < ANEW_MS) return known.ended
    const ended = endShared(place, way)
    last.set(key, { at: now(), ended })
    return ended
  }
}

import { Emitter } from '../../shared/lib/emitter.ts'
import type { PlacesParts, Places } from './places.ts'

/** An app's connections to other machines. Their code is loaded on first use. */
export function placesOnDemand(parts: PlacesParts): Places {
  const changed = new Emitter<void>()
  let loading: Promise<Places> | null = null
  let loaded: Places | null = null
  const load = (): Promise<Places> =>
    (loading ??= import('./places.ts').then(({ createPlaces }) => {
      loaded = createPlaces(parts)
      loaded.onLost(() => changed.fire())
      return loaded
    }))
  return {
    guestAt: async (place) => (await load()).guestAt(place),
    endGuest: async (place, uninstalls) => (await load()).endGuest(place, uninstalls),
    made: async () => (await load()).made(),
    reach: async (place, asker) => (await load()).reach(place, asker),
    connected: async (place) => (await loading)?.connected(place) ?? null,
    known: async () => (await load()).known(),
    lost: () => loaded?.lost() ?? [],
    onLost: changed.event,
    retry: (place) => loaded?.retry(place),
    giveUp: (place) => loaded?.giveUp(place),
    close: async () => (await loading)?.close(),
  }
}

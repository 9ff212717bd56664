import type { PlacesParts, Places } from './places.ts'

/** The other machines of an app. The code is loaded when the first one is needed. */
export function placesOnDemand(parts: PlacesParts): Places {
  let loaded: Promise<Places> | null = null
  const load = (): Promise<Places> => (loaded ??= import('./places.ts').then(({ createPlaces }) => createPlaces(parts)))
  return {
    reach: async (place, asker) => (await load()).reach(place, asker),
    connected: async (place) => (await loaded)?.connected(place) ?? null,
    known: async () => (await load()).known(),
    close: async () => (await loaded)?.close(),
  }
}

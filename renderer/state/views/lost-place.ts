import { useStore } from 'zustand'
import { parseAddress, placeKey } from '../../../shared/places/address.ts'
import type { LostMachine } from '../../../shared/places/places-api.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { counting } from '../../ui/format.ts'
import { useDesk } from '../desk-context.ts'

/** The machine on which a session works, if the connection to it is lost. Null if it is not. */
export function useLostPlace(sessionId: SessionId | null): LostMachine | null {
  const desk = useDesk()
  const folder = useStore(desk.list, ({ sessions }) => (sessionId && sessions.get(sessionId)?.folder) ?? '')
  const { place } = parseAddress(folder)
  const key = place && placeKey(place)
  return useStore(desk.lostPlaces, ({ lost }) => lost.find((one) => one.place === key) ?? null)
}

/** Says when the next attempt to connect is made. `elapsed`: ms since the connection was lost. */
export function nextTryWords({ since, nextAt }: LostMachine, elapsed: number): string {
  const wait = nextAt === null ? 0 : nextAt - since - elapsed
  return wait < 1_000 ? 'trying now' : `next try in ${counting(wait)}`
}

import { useEffect, useState } from 'react'
import type { HistoryHit } from '../../../shared/api/history.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk } from '../../state/desk-context.ts'

/** The delay in ms before the calls are requested, so that not every key press causes requests. */
const DELAY_MS = 200
/** Number of calls that are added at once, so that the list does not render for each call. */
const TOGETHER = 20

export type HitCalls = ReadonlyMap<string, CallItem>

/** Returns the key of a hit's ledger entry in `HitCalls`. */
export const entryKey = ({ sessionId, item }: Pick<HistoryHit, 'sessionId' | 'item'>): string => `${sessionId} ${item}`

/** Requests the calls that the listed hits belong to, one after the other. Hits whose call is not known yet have no mark. */
export function useHitCalls(hits: readonly HistoryHit[]): HitCalls {
  const desk = useDesk()
  const [calls, setCalls] = useState<HitCalls>(new Map())
  useEffect(() => {
    let isCurrent = true
    const read = async (): Promise<void> => {
      const found = new Map<string, CallItem>()
      for (const [at, hit] of hits.entries()) {
        const { client } = desk.connection
        if (!isCurrent || !client) return
        const call = await callOf(client, hit, found)
        if (call) found.set(entryKey(hit), call)
        if (isCurrent && (at + 1 === hits.length || (at + 1) % TOGETHER === 0)) setCalls(new Map(found))
      }
    }
    const timer = setTimeout(() => void read().catch(() => {}), DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [desk, hits])
  return calls
}

type Client = NonNullable<ReturnType<typeof useDesk>['connection']['client']>

async function callOf(client: Client, hit: HistoryHit, known: HitCalls): Promise<CallItem | null> {
  const { sessionId, item, foundIn } = hit
  if (item === null || foundIn === 'you' || foundIn === 'answer') return null
  const call = known.get(entryKey(hit))
  if (call) return call
  const { items } = await client.sessions.page({ sessionId, before: item + 1, limit: 1 })
  const [entry] = items
  return entry?.kind === 'call' ? entry : null
}

import { useEffect, useState } from 'react'
import type { AppClient } from '../../../shared/api/contract.ts'
import type { HistoryHit } from '../../../shared/api/history.ts'
import { useDesk } from '../../state/desk-context.ts'
import { markOf, markWordOf } from '../../ui/calls/call-mark.ts'
import type { MarkProps } from '../../ui/marks/mark.tsx'

/** The delay in ms before the calls are requested, so that not every key press causes requests. */
const DELAY_MS = 200
/** Number of calls that are requested at once. Their marks are added together, so that the list does not render for each mark. */
const TOGETHER = 20

export type HitCallStatus = Pick<MarkProps, 'kind' | 'word'>

/** Returns the key of the ledger entry that a hit belongs to. The marks of `useHitCallStatus` have these keys. */
export const entryKey = ({ sessionId, item }: Pick<HistoryHit, 'sessionId' | 'item'>): string => `${sessionId} ${item}`

/**
 * Returns the marks of the calls that the listed hits belong to, keyed by `entryKey`. A few calls are requested at once. A mark from an
 * earlier list is kept until its call has been requested again, so that marks do not flicker when the list changes.
 */
export function useHitCallStatus(hits: readonly HistoryHit[]): ReadonlyMap<string, HitCallStatus> {
  const desk = useDesk()
  const [marks, setMarks] = useState<ReadonlyMap<string, HitCallStatus>>(new Map())
  useEffect(() => {
    let isCurrent = true
    const entries = [...new Map(hits.filter(mayBelongToCall).map((hit) => [entryKey(hit), hit]))]
    const read = async (): Promise<void> => {
      for (let from = 0; from < entries.length; from += TOGETHER) {
        const { client } = desk.connection
        if (!isCurrent || !client) return
        const some = entries.slice(from, from + TOGETHER)
        const found = await Promise.all(some.map(async ([key, hit]) => [key, await requestMark(client, hit)] as const))
        const known = found.flatMap(([key, mark]) => (mark ? [[key, mark] as const] : []))
        if (isCurrent) setMarks((before) => new Map([...before, ...known]))
      }
    }
    const timer = setTimeout(() => void read().catch(() => {}), DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [desk, hits])
  return marks
}

type CallHit = HistoryHit & { readonly item: number }

const mayBelongToCall = (hit: HistoryHit): hit is CallHit => hit.item !== null && hit.foundIn !== 'you' && hit.foundIn !== 'answer'

async function requestMark(client: AppClient, { sessionId, item }: CallHit): Promise<HitCallStatus | null> {
  const { items } = await client.sessions.page({ sessionId, before: item + 1, limit: 1 })
  const [entry] = items
  return entry?.kind === 'call' ? { kind: markOf(entry), word: markWordOf(entry) } : null
}

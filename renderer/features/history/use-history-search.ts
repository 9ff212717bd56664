import { useEffect, useMemo, useRef, useState } from 'react'
import type { FoundIn, HistoryAnswer, HistoryHit, HistoryState } from '../../../shared/api/history.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { useDesk, useIsConnected } from '../../state/desk-context.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'

export interface HistoryFilters {
  readonly foundIn: FoundIn | null
  readonly folder: string | null
  readonly model: string | null
  readonly state: HistoryState | null
  /** Calendar days such as `2026-11-22`, both included. Empty if there is no bound. */
  readonly from: string
  readonly to: string
  readonly touched: string
  readonly order: 'newest' | 'best'
}

export const NO_FILTERS: HistoryFilters = {
  foundIn: null,
  folder: null,
  model: null,
  state: null,
  from: '',
  to: '',
  touched: '',
  order: 'newest',
}

export interface FoundHistory {
  readonly answer: HistoryAnswer | null
  /**
   * The words and filters that the answer belongs to. While the next answer is awaited, the user may have chosen others. Null before the
   * first answer.
   */
  readonly answered: SearchedFor | null
  /** Duration of the search in ms, measured in this window. */
  readonly tookMs: number
  readonly trouble: Trouble | null
}

export interface HistorySearching extends FoundHistory {
  /** Whether more may be found: the newest words and filters are not answered yet, or older events are still being indexed. */
  readonly isSearching: boolean
  /** The answer whose numbers are shown. Null while an answer without hits may still change. */
  readonly counted: HistoryAnswer | null
  /** All hits of each session that the user has expanded, at most `MAX_HITS` per session. */
  readonly whole: WholeSessions
  /** Requests all hits of a session. */
  readonly showAll: (sessionId: SessionId) => void
}

export type WholeSessions = ReadonlyMap<SessionId, readonly HistoryHit[]>

/** The words and filters of a search. The object stays the same until the user changes them. */
export type SearchedFor = Omit<HistoryFilters, 'from' | 'to'> & { readonly words: string }

const NOTHING: FoundHistory = { answer: null, answered: null, tookMs: 0, trouble: null }
const NONE: WholeSessions = new Map()
/** Maximum number of hits of a session that are listed at first. */
const PER_SESSION = 3
/** Delay in ms before the search is repeated while older events are still being indexed. */
const AGAIN_MS = 500

/**
 * Searches while the user types. Answers to earlier input are dropped, and the last answer is shown until the next one arrives. The search
 * is repeated when a lost connection has been restored.
 */
export function useHistorySearch(
  words: string,
  { foundIn, folder, model, state, from, to, touched, order }: HistoryFilters,
): HistorySearching {
  const desk = useDesk()
  const [found, setFound] = useState(NOTHING)
  const [round, setRound] = useState(0)
  const isConnected = useIsConnected()
  const query = useMemo(
    () => ({ words, foundIn, folder, model, state, touched, order, since: dayStart(from, 0), until: dayStart(to, 1) }),
    [words, foundIn, folder, model, state, from, to, touched, order],
  )
  const [opened, setOpened] = useState({ query, whole: NONE })
  const newest = useRef(query)
  useEffect(() => {
    newest.current = query
    let isCurrent = true
    let again: ReturnType<typeof setTimeout> | undefined
    const began = performance.now()
    void attemptRequest(desk, 'The history was not searched', async (client) => {
      const reply = await client.history.search({ ...query, perSession: PER_SESSION })
      if (!isCurrent) return { ok: true }
      const tookMs = performance.now() - began
      if (!reply.ok) return { ok: false, trouble: reply.trouble }
      setFound({ answer: reply.answer, answered: query, tookMs, trouble: null })
      if (reply.answer.behind > 0) again = setTimeout(() => setRound((count) => count + 1), AGAIN_MS)
      return { ok: true }
    }).then((trouble) => isCurrent && trouble && setFound({ ...NOTHING, trouble }))
    return () => {
      isCurrent = false
      clearTimeout(again)
    }
  }, [desk, query, round, isConnected])
  const isSearching = found.trouble === null && (found.answered !== query || (found.answer?.behind ?? 0) > 0)
  return {
    ...found,
    isSearching,
    counted: isSearching && found.answer?.total === 0 ? null : found.answer,
    whole: opened.query === query ? opened.whole : NONE,
    showAll(sessionId) {
      const isNewest = (): boolean => newest.current === query
      void attemptRequest(desk, 'The history was not searched', async (client) => {
        const reply = await client.history.search({ ...query, sessionId })
        if (!reply.ok) return { ok: false, trouble: reply.trouble }
        const { hits } = reply.answer
        if (isNewest())
          setOpened((before) => ({ query, whole: new Map(before.query === query ? before.whole : NONE).set(sessionId, hits) }))
        return { ok: true }
      }).then((trouble) => trouble && isNewest() && setFound((before) => ({ ...before, trouble })))
    },
  }
}

/**
 * Returns the beginning of a calendar day in this computer's time zone, plus `later` days, in ms since 1970. Null if `day` is not a valid
 * day.
 */
export function dayStart(day: string, later: number): number | null {
  const [year, month, date] = day.split('-').map(Number)
  return year && month && date ? new Date(year, month - 1, date + later).getTime() : null
}

import { useEffect, useMemo, useState } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ReplayOutline } from '../../../shared/api/replay.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { useDesk, useIsConnected } from '../../state/desk-context.ts'
import type { ReplayedSession } from './replay-desk.ts'

export const SPEEDS = ['1', '4', '16'] as const
type Speed = (typeof SPEEDS)[number]

/** Maximum duration of a wait when a replay is played at normal speed, in ms. */
export const MAX_WAIT_MS = 1_000
/** Minimum time in ms between two moments of a replay, so that each can be seen. */
const LEAST_MS = 40

export interface Player {
  /** Null while the outline is being read. */
  readonly outline: ReplayOutline | null
  readonly trouble: Trouble | null
  /** Index of the current stop in the outline. */
  readonly at: number
  readonly go: (to: number) => void
  readonly isPlaying: boolean
  readonly play: (isPlaying: boolean) => void
  readonly speed: Speed
  readonly setSpeed: (speed: Speed) => void
  readonly store: StoreApi<ReplayedSession>
}

/** Plays a stored session. `from` is the event after which the replay begins. Null for the first stop. */
export function useReplay(sessionId: SessionId, from: number | null): Player {
  const desk = useDesk()
  const [outline, setOutline] = useState<ReplayOutline | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [at, setAt] = useState(0)
  const [begun, setBegun] = useState({ outline, from })
  const [shown, setShown] = useState(-1)
  const [isPlaying, play] = useState(false)
  const [speed, setSpeed] = useState<Speed>('4')
  const store = useMemo(
    () => createStore<ReplayedSession>(() => ({ session: null, isMissing: false, resetWhy: null, loadingOlder: false, files: [] })),
    [],
  )
  const stops = outline?.stops
  const isConnected = useIsConnected()
  useEffect(() => {
    let isCurrent = true
    desk.connection.client?.replay.outline({ sessionId }).then(
      (answer) => {
        if (!isCurrent) return
        setTrouble(answer.ok ? null : answer.trouble)
        if (answer.ok) setOutline(answer.value)
      },
      () => isCurrent && setTrouble(DISCONNECTED),
    )
    return () => {
      isCurrent = false
    }
  }, [desk, sessionId, isConnected])
  if (begun.outline !== outline || begun.from !== from) {
    setBegun({ outline, from })
    play(false)
    // After a reconnection the outline is read again, and the user stays at the same event.
    const here = begun.from === from ? (begun.outline?.stops[at]?.seq ?? from) : from
    setAt(stopOf(outline, here))
  }
  useEffect(() => {
    const stop = stops?.[at]
    if (!stop) return
    let isCurrent = true
    desk.connection.client?.replay.moment({ sessionId, seq: stop.seq }).then(
      (answer) => {
        if (!isCurrent) return
        setTrouble(answer.ok ? null : answer.trouble)
        if (!answer.ok) return
        store.setState({ session: answer.value.state, files: answer.value.files })
        setShown(at)
      },
      () => isCurrent && setTrouble(DISCONNECTED),
    )
    return () => {
      isCurrent = false
    }
  }, [desk, sessionId, stops, at, store, isConnected])
  useEffect(() => {
    const now = stops?.[at]
    const next = stops?.[at + 1]
    if (!isPlaying || shown !== at || !now || !next) return
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, next.at - now.at)) / Number(speed)
    const timer = setTimeout(
      () => {
        setAt(at + 1)
        if (at + 2 === stops?.length) play(false)
      },
      Math.max(LEAST_MS, waitMs),
    )
    return () => clearTimeout(timer)
  }, [stops, at, shown, isPlaying, speed])
  const last = (stops?.length ?? 1) - 1
  return {
    outline,
    trouble,
    at,
    isPlaying,
    speed,
    setSpeed,
    store,
    go: (to) => setAt(Math.min(last, Math.max(0, to))),
    play: (isOn) => {
      // If the replay is at its end, playing starts again from the beginning.
      if (isOn && at === last) setAt(0)
      play(isOn)
    },
  }
}

/** Returns the index of the last stop at or before the event `from`. If `from` is null, returns the first stop. */
function stopOf(outline: ReplayOutline | null, from: number | null): number {
  if (!outline || from === null) return 0
  const at = outline.stops.findLastIndex(({ seq }) => seq <= from)
  return Math.max(0, at)
}

const DISCONNECTED: Trouble = {
  code: 'replay_disconnected',
  what: 'The connection was lost while the session was being read.',
  kept: 'The stored session is unchanged.',
  todo: 'Close the replay and open it again.',
}

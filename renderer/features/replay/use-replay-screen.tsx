import { type ReactNode, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Desk } from '../../state/desk.ts'
import { useDesk } from '../../state/desk-context.ts'
import { usePageKeys } from '../../state/hooks/use-desk-keys.ts'
import { replayDesk } from './replay-desk.ts'
import { movesIn, type ReplayMoves } from './replay-moves.ts'
import { ScrubBar } from './scrub-bar.tsx'
import { useListThen } from './use-list-then.ts'
import { type Player, useReplay } from './use-replay.ts'

/** A replay: what plays it, its moves, and the desk whose parts show the moment. */
export interface ReplayScreen {
  readonly player: Player
  /** Null while the session is being read. */
  readonly moves: ReplayMoves | null
  readonly title: string
  readonly desk: Desk
  /** The read-only desk for the components that show the moment. */
  readonly shown: Desk
  /** The scrub bar. Null while the session is being read, and if there is nothing to replay. */
  readonly scrub: ReactNode
}

export function useReplayScreen(sessionId: SessionId, from: number | null): ReplayScreen {
  const desk = useDesk()
  const player = useReplay(sessionId, from)
  const { outline, at, go } = player
  const title = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.title ?? '') || 'Session'
  const listed = useListThen(desk, player)
  const shown = useMemo(() => replayDesk(desk, sessionId, player.store, listed), [desk, sessionId, player.store, listed])
  const field = useRef<HTMLInputElement>(null)
  const moves = outline && movesIn(outline, at, go)
  usePageKeys([
    { keys: ' ', run: () => player.play(!player.isPlaying) },
    { keys: ',', run: () => go(at - 1) },
    { keys: '.', run: () => go(at + 1) },
    { keys: '[', run: () => moves?.turn(-1) },
    { keys: ']', run: () => moves?.turn(1) },
    { keys: 'G', run: () => field.current?.focus() },
  ])
  const scrub =
    outline && moves && outline.stops.length > 0 ? (
      <ScrubBar player={player} outline={outline} field={field} onTurn={moves.turn} onStep={moves.toStep} />
    ) : null
  return { desk, player, moves, title, shown, scrub }
}

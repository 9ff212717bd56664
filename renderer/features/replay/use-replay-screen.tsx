import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { type KeyAction, runKey } from '../../state/commands/key-combinations.ts'
import type { Desk } from '../../state/desk.ts'
import { useDesk } from '../../state/desk-context.ts'
import { keyboardPlatform } from '../../ui/marks/key-labels.ts'
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
  useReplayKeys([
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

/** Keys of the page. A focused button or field handles its own keys. */
function useReplayKeys(table: readonly KeyAction[]): void {
  const latest = useRef(table)
  useEffect(() => {
    latest.current = table
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isOnControl = event.target instanceof HTMLElement && event.target.closest('button, input, [role=radio]') !== null
      if (event.key === ' ' && isOnControl) return
      runKey(event, latest.current, keyboardPlatform() === 'mac')
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

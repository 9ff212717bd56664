import type { ReplayOutline } from '../../../shared/api/replay.ts'

export type ReplayMoves = ReturnType<typeof movesIn>

/** The possible moves through a replay from the stop `at`. */
export function movesIn({ stops, turns }: ReplayOutline, at: number, go: (to: number) => void) {
  const seq = stops[at]?.seq ?? 0
  const current = turns.findLastIndex((turn) => turn.seq <= seq)
  const toSeq = (to: number): void =>
    go(
      Math.max(
        0,
        stops.findIndex((stop) => stop.seq >= to),
      ),
    )
  return {
    current,
    toSeq,
    turn(by: 1 | -1): void {
      // Within a turn, moving back first goes to the start of this turn.
      const isWithin = turns[current] !== undefined && turns[current].seq < seq
      const to = turns[by === -1 && isWithin ? current : current + by]
      if (to) toSeq(to.seq)
    },
    toStep: (step: number): void => go(stops.findIndex((stop) => stop.step >= step)),
  }
}

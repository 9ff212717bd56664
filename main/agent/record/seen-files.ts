import type { BlobHash } from '../../../shared/lib/ids.ts'
import { type DoneMove, isInConversation } from '../../../shared/session/conversation-move.ts'
import { moveOf } from '../../../shared/session/fold/fold-rollback.ts'
import type { DurableEvent, SeenFile, SeenLines } from '../../../shared/session/events.ts'

/**
 * What the agent last saw of each file, by real path. Derived only from the log, so that "changed since you read it" gives the same answer
 * after a restart. Reads of several parts of the same content add up. Content that is no longer part of the conversation counts as not
 * read.
 */
export interface SeenFiles {
  /** `seq`: the number of the event. */
  add(event: DurableEvent, seq?: number): void
  saw(file: SeenFile): void
  get(path: string): BlobHash | null
  /** The lines of the file that the agent saw. Null if it saw all of the file, or none of it. */
  lines(path: string): SeenLines | null
}

export function createSeenFiles(): SeenFiles {
  const seen = new Map<string, SeenFile>()
  const all: { readonly seq: number; readonly saw: readonly SeenFile[] }[] = []
  const moves: DoneMove[] = []
  const saw = (file: SeenFile): void => void seen.set(file.path, together(seen.get(file.path), file))
  return {
    add(event, seq = 0) {
      const move = moveOf(event)
      if (move) {
        moves.push({ seq, to: move.to })
        seen.clear()
        for (const earlier of all) if (isInConversation(earlier.seq, moves)) earlier.saw.forEach(saw)
      }
      if (event.kind !== 'TOOL_CALL_END' || !event.saw) return
      all.push({ seq, saw: event.saw })
      event.saw.forEach(saw)
    },
    saw,
    get: (path) => seen.get(path)?.hash ?? null,
    lines: (path) => seen.get(path)?.lines ?? null,
  }
}

function together(known: SeenFile | undefined, fresh: SeenFile): SeenFile {
  if (!fresh.lines || known?.hash !== fresh.hash) return fresh
  if (!known.lines) return known
  const ranges = joined([...known.lines.ranges, ...fresh.lines.ranges])
  const [only] = ranges
  const isWhole = ranges.length === 1 && only?.[0] === 1 && only[1] >= fresh.lines.total
  const { path, hash } = fresh
  return isWhole ? { path, hash } : { path, hash, lines: { ranges, total: fresh.lines.total } }
}

function joined(ranges: SeenLines['ranges']): SeenLines['ranges'] {
  const all: [number, number][] = []
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const previous = all.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else all.push([first, last])
  }
  return all
}

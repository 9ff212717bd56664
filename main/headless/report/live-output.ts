import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { SessionEvent } from '../../../shared/session/events.ts'
import type { Line } from './event-lines.ts'
import { FOREIGN } from './escaped-rows.ts'

type Delta = Extract<SessionEvent, { kind: 'TOOL_CALL_OUTPUT_DELTA' }>
type End = Extract<SessionEvent, { kind: 'TOOL_CALL_END' }>

/** The output of a running command, line by line. A line is shown when the next line starts, so a redrawn progress bar is shown once. */
export interface LiveOutput {
  linesOf(delta: Delta): readonly Line[]
  /** The part of the output that has not been shown yet. Null if nothing was shown live. */
  restOf(end: End): readonly Line[] | null
}

/** Maximum number of lines of one call that are shown live. The rest is in the session. */
const MAX_LIVE = 200
/** Maximum number of characters of a tail (events.ts). A tail of this length was shortened, perhaps in the middle of a line. */
const TAIL = 2000

export function createLiveOutput(): LiveOutput {
  const calls = new Map<ToolCallId, { last: readonly string[]; left: number }>()
  const added = (toolCallId: ToolCallId, now: readonly string[]): readonly Line[] => {
    const call = calls.get(toolCallId) ?? { last: [], left: MAX_LIVE }
    if (now.length === 0 || call.left === 0) return []
    const fresh = newLines(call.last, now)
    const shown = fresh.lines.slice(0, call.left)
    const left = call.left - shown.length
    calls.set(toolCallId, { last: now, left })
    if (shown.length === 0) return []
    const gap: readonly Line[] = fresh.follows ? [] : ['   … some lines were not shown']
    const end: readonly Line[] = left === 0 ? ['   … the rest is kept in the session'] : []
    return [...gap, { margin: FOREIGN, text: shown.join('\n') }, ...end]
  }
  return {
    linesOf: ({ toolCallId, tail }) => added(toolCallId, wholeLines(tail)),
    restOf({ toolCallId, output }) {
      if (!calls.has(toolCallId)) return null
      const text = output.trimEnd()
      const rest = text === '' ? [] : added(toolCallId, wholeLines(`${text}\n`.slice(-TAIL)))
      calls.delete(toolCallId)
      return rest
    },
  }
}

/**
 * Leaves out the last line, which may be incomplete and is shown later. Also removes trailing spaces, because the lines of a tail have
 * none.
 */
function wholeLines(tail: string): readonly string[] {
  const lines = tail
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trimEnd())
  return tail.length < TAIL ? lines : lines.slice(1)
}

/**
 * The lines in `now` after the last lines seen. If `follows` is false, `now` does not contain the last lines seen, so lines in between were
 * missed.
 */
function newLines(last: readonly string[], now: readonly string[]): { readonly lines: readonly string[]; readonly follows: boolean } {
  if (last.length === 0) return { lines: now, follows: true }
  for (let end = now.length; end > 0; end--) {
    const known = Math.min(last.length, end)
    if (now.slice(end - known, end).every((line, at) => line === last[last.length - known + at]))
      return { lines: now.slice(end), follows: true }
  }
  return { lines: now, follows: false }
}

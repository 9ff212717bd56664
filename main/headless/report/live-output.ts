import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { SessionEvent } from '../../../shared/session/events.ts'
import type { Line } from './event-lines.ts'
import { FOREIGN } from './rows.ts'

type Delta = Extract<SessionEvent, { kind: 'TOOL_CALL_OUTPUT_DELTA' }>
type End = Extract<SessionEvent, { kind: 'TOOL_CALL_END' }>

/** What a command says while it runs, line by line as the next one begins; a bar that redraws itself counts once, as it stands in the end. */
export interface LiveOutput {
  linesOf(delta: Delta): readonly Line[]
  /** What of its output has not been shown yet; null: nothing of it has been shown live. */
  restOf(end: End): readonly Line[] | null
}

/** Lines of one call that are shown live; what comes after them is in the session. */
const MOST_LIVE = 200
/** Characters of a tail: a longer text was cut before it, perhaps in the middle of a line (events.ts). */
const TAIL = 2000

export function createLiveOutput(): LiveOutput {
  const calls = new Map<ToolCallId, { last: readonly string[]; left: number }>()
  const added = (toolCallId: ToolCallId, now: readonly string[]): readonly Line[] => {
    const call = calls.get(toolCallId) ?? { last: [], left: MOST_LIVE }
    if (now.length === 0 || call.left === 0) return []
    const fresh = newLines(call.last, now)
    const shown = fresh.lines.slice(0, call.left)
    const left = call.left - shown.length
    calls.set(toolCallId, { last: now, left })
    if (shown.length === 0) return []
    const gap: readonly Line[] = fresh.follows ? [] : ['   … some lines went by unseen']
    const end: readonly Line[] = left === 0 ? ['   … the rest of it is kept in the session'] : []
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

/** The last line may still be being written: it is shown with the next one. A tail has no blanks where its lines end. */
function wholeLines(tail: string): readonly string[] {
  const lines = tail
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trimEnd())
  return tail.length < TAIL ? lines : lines.slice(1)
}

/** What stands in `now` behind the lines that were seen last; `follows` false: they have gone by. */
function newLines(last: readonly string[], now: readonly string[]): { readonly lines: readonly string[]; readonly follows: boolean } {
  if (last.length === 0) return { lines: now, follows: true }
  for (let end = now.length; end > 0; end--) {
    const known = Math.min(last.length, end)
    if (now.slice(end - known, end).every((line, at) => line === last[last.length - known + at]))
      return { lines: now.slice(end), follows: true }
  }
  return { lines: now, follows: false }
}

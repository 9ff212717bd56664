import type { ExecResult } from '../../agent/ports/execution-environment.ts'
import { drawnLines } from './drawn-lines.ts'

/** A command that runs beside the calls of its session. */
export interface BackgroundRun {
  readonly id: string
  readonly command: string
  readonly pid: number
  /** Null while it runs. */
  ended(): ExecResult | null
  /** What it printed since the last call of this, as plain lines; `dropped` characters of it were too old to be kept. */
  unread(): { readonly text: string; readonly dropped: number }
  /** Resolves when there is something unread, it has ended, or the signal says so. */
  news(signal: AbortSignal): Promise<void>
  /** Ends it with all that it started, and waits for it. */
  stop(): Promise<void>
}

/** Characters kept of what nobody has read yet. */
const KEPT = 1024 * 1024

export interface UnreadOutput {
  push(text: string): void
  take(isOver: boolean): { readonly text: string; readonly dropped: number }
  /** Nothing is there to be taken yet. */
  readonly isEmpty: boolean
}

/** Holds output until it is read; a sequence or a character that has only begun waits for its end. */
export function createUnreadOutput(): UnreadOutput {
  let held = ''
  let dropped = 0
  return {
    push(text) {
      held += text
      // Twice as much, so that cutting is rare.
      if (held.length <= 2 * KEPT) return
      const cut = held.indexOf('\n', held.length - KEPT) + 1 || held.length - KEPT
      dropped += cut
      held = held.slice(cut)
    },
    take(isOver) {
      const begun = isOver ? '' : begunIn(held)
      const taken = { text: drawnLines(held.slice(0, held.length - begun.length)), dropped }
      held = begun
      dropped = 0
      return taken
    },
    get isEmpty() {
      return held === begunIn(held)
    },
  }
}

/** A sequence that has only begun. */
function begunIn(text: string): string {
  return /\x1b(?:\[[^@-~]{0,200}|[\]PX^_][^\x07\x1b]{0,1000}\x1b?|[ -/]{1,3})?$/u.exec(text)?.[0] ?? ''
}

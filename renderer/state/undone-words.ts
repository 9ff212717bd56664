import type { CompactionReceipt } from '../../shared/session/events.ts'

/** What undoing a compaction comes to; `window` in tokens, null: not known. */
export function undoneWords({ tokensBefore }: Pick<CompactionReceipt, 'tokensBefore'>, window: number | null): string {
  return isTooLong(tokensBefore, window)
    ? 'Undone, the next request will be too long for this model and is compacted again; one with a larger window takes it.'
    : 'Undone, it is compacted again only when the window is full.'
}

/** Whether a conversation of so many tokens does not fit. */
export function isTooLong(tokens: number, window: number | null): boolean {
  return window !== null && tokens >= window
}

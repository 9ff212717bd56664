import type { CompactionReceipt } from '../../../shared/session/events.ts'

/** What undoing a compaction comes to; `window` in tokens, null: not known. */
export function undoneWords({ tokensBefore }: Pick<CompactionReceipt, 'tokensBefore'>, window: number | null): string {
  return isTooLong(tokensBefore, window)
    ? 'If you undo this, the next request will be too long for this model and will be compacted again. A model with a larger context window can take it.'
    : 'If you undo this, the conversation is compacted again only when the context window is full.'
}

/** Whether a conversation of so many tokens does not fit. */
export function isTooLong(tokens: number, window: number | null): boolean {
  return window !== null && tokens >= window
}

import type {} from '../../../shared/session/events.ts'
import type { CompactionReceipt } from '../../../shared/session/conversation-move.ts'

/** A compaction that is about to happen. */
export interface CompactionAhead {
  readonly why: CompactionReceipt['why']
  /** What the person wants the summary to keep; empty: nothing special. */
  readonly instructions: string
  /** Context tokens in use, estimated where no service has counted them. */
  readonly tokens: number
  /** Turns of the conversation as the model sees it. */
  readonly turns: number
}

export type CompactionVerdict =
  /** `keep`: texts to keep word for word after the summary; at most 12,000 characters in total. */
  | { readonly kind: 'allow'; readonly keep: readonly string[] }
  /** `reason`: a sentence for the person. Nothing is compacted until their next message. */
  | { readonly kind: 'forbid'; readonly reason: string }

/** Called before each compaction, before any request for it. Rejects only with the signal's reason. */
export type PreCompact = (ahead: CompactionAhead, signal: AbortSignal) => Promise<CompactionVerdict>

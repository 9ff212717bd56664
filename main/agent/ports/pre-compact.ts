import type { CompactionReceipt } from '../../../shared/session/events.ts'

/** A compaction that is about to be made. */
export interface CompactionAhead {
  readonly why: CompactionReceipt['why']
  /** Tokens that fill the context now, estimated where no service has counted them. */
  readonly tokens: number
  /** Turns of the conversation as the model has it. */
  readonly turns: number
}

export type CompactionVerdict =
  /** `keep`: what stays word for word behind the summary; of more than 12 000 characters in all the first. */
  | { readonly kind: 'allow'; readonly keep: readonly string[] }
  /** `reason`: a sentence for the person. The conversation stays as it is until their next message. */
  | { readonly kind: 'forbid'; readonly reason: string }

/** Asked before each compaction, before anything is asked of a model (R-41, D-17). Rejects only with the signal's reason. */
export type PreCompact = (ahead: CompactionAhead, signal: AbortSignal) => Promise<CompactionVerdict>

import type { Result } from '../../../shared/lib/result.ts'
import type { Amended, Amendment } from '../../../shared/session/amendment.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { RunContext, ToolOutput } from './tool.ts'

/** Signing a request in part, or with corrected text. */
export interface Amending {
  /** The effects as a person amended them; their bytes are in the blob store. A failure is a sentence for the person. */
  amend(effects: readonly Effect[], amendments: readonly Amendment[]): Result<Amended, string>
  /** The note for the agent: which files and hunks were not accepted, and how the result differs from its proposal. */
  words(proposed: readonly Effect[], amended: Amended): string
  /** Writes and deletes exactly these files, all or none. Only for effects of those kinds. */
  commit(effects: readonly Effect[], run: RunContext): Promise<ToolOutput>
}

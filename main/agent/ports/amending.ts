import type { Result } from '../../../shared/lib/result.ts'
import type { Amended, Amendment } from '../../../shared/session/amendment.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { RunContext, ToolOutput } from './tool.ts'

/** Lets the user sign only a part of a request, or a corrected version. */
export interface Amending {
  /** Returns the effects as the user amended them. Their bytes are in the blob store. A failure is a sentence for the user. */
  amend(effects: readonly Effect[], amendments: readonly Amendment[]): Result<Amended, string>
  /** The note for the agent: which files and hunks were not accepted, and how the result differs from its proposal. */
  words(proposed: readonly Effect[], amended: Amended): string
  /** Writes and deletes exactly these files, all or none. Accepts only effects that write or delete a file. */
  commit(effects: readonly Effect[], run: RunContext): Promise<ToolOutput>
}

import { z } from 'zod'
import { ApprovalId, SessionId } from '../lib/ids.ts'
import { Amendment } from '../session/amendment.ts'
import type { Trouble } from '../session/events.ts'
import { items, stream } from '../wire/contract.ts'

/** How a check of the result goes on. `tail` is the end of its output. `durationMs` is the time that the command took. */
export type CheckItem =
  | { readonly kind: 'preparing' }
  | { readonly kind: 'running'; readonly tail: string }
  | { readonly kind: 'ended'; readonly passed: boolean; readonly why: string; readonly tail: string; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

export const bringInApi = {
  /**
   * Runs a command in a copy of what the folder would be after this request is signed with these amendments. Nothing of it stays. Ends with
   * `ended` or `failed`, or when the listener leaves, which stops the command.
   */
  check: stream({
    input: z.object({
      sessionId: SessionId,
      approvalId: ApprovalId,
      amendments: z.array(Amendment).max(20_000).readonly(),
      command: z.string().trim().min(1).max(10_000),
    }),
    item: items<CheckItem>(),
  }),
}

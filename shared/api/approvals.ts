import { z } from 'zod'
import { ApprovalId, SessionId } from '../lib/ids.ts'
import { command, returns } from '../wire/contract.ts'

/** The first answer wins; a late, repeated, unarmed or wrong one changes nothing and says why (C17, fault 35). */
export type AnswerOutcome =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'ignored'
      readonly why: 'unknown' | 'answered' | 'withdrawn' | 'hash_differs' | 'too_early' | 'not_running_here'
      readonly message: string
    }

const one = z.object({ sessionId: SessionId, approvalId: ApprovalId })

export const approvalsApi = {
  /** The window has had the whole request on screen since now: from here main counts its 300 ms. */
  shown: command({ input: one, output: returns<{ readonly armsInMs: number }>() }),
  answer: command({
    input: one.extend({
      hash: z.string().max(128),
      answer: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('sign') }),
        z.object({ kind: z.literal('refuse'), note: z.string().max(20_000).nullable() }),
      ]),
    }),
    output: returns<AnswerOutcome>(),
  }),
}

import { z } from 'zod'
import { Amendment } from '../session/amendment.ts'
import { SignatureReply } from '../workflow/signature-reply.ts'
import { ApprovalId, SessionId } from '../lib/ids.ts'
import { command, returns } from '../wire/contract.ts'

/**
 * The outcome of an answer. The first answer wins. An answer changes nothing if it is late, repeated, too early, or for a different hash.
 * In these cases, `why` is the reason.
 */
export type AnswerOutcome =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'ignored'
      readonly why: 'unknown' | 'answered' | 'withdrawn' | 'hash_differs' | 'too_early' | 'not_running_here' | 'cannot_amend'
      readonly message: string
    }

const one = z.object({ sessionId: SessionId, approvalId: ApprovalId })

export const approvalsApi = {
  /** Reports that the window shows the complete request. Main accepts an answer only from 300 ms after the first such report. */
  shown: command({ input: one, output: returns<{ readonly armsInMs: number }>() }),
  answer: command({
    input: one.extend({
      hash: z.string().max(128),
      answer: z.discriminatedUnion('kind', [
        /**
         * `amendments` is set if the user signs only a part of the request or changes its text. If left out, the request is signed as
         * proposed.
         */
        z.object({
          kind: z.literal('sign'),
          amendments: z.array(Amendment).max(20_000).readonly().optional(),
          /** The answers to questions, or the plan that the user approves. */
          reply: SignatureReply.optional(),
        }),
        /** `later`: the amendments of a request of which a part is decided later, and all the rest is refused. */
        z.object({
          kind: z.literal('refuse'),
          note: z.string().max(20_000).nullable(),
          later: z.array(Amendment).max(20_000).readonly().optional(),
        }),
        /** Drops the changes that a command made in its copy, and requests approval to run the command for real. */
        z.object({ kind: z.literal('run_for_real') }),
        /** Requests approval again for a command that would run for real, this time confined to the folder. */
        z.object({ kind: z.literal('run_confined') }),
      ]),
    }),
    output: returns<AnswerOutcome>(),
  }),
}

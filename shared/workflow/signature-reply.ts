import { z } from 'zod'
import { QuestionAnswer } from './question.ts'
import { WorkPlan } from './work-plan.ts'

/** The user's reply with a signature, for requests that need more than yes or no. */
export const SignatureReply = z.discriminatedUnion('kind', [
  /**
   * One answer per question, in order. An MCP server may ask up to 50 questions. `byDefault`: no user was there, so defaults were used.
   */
  z.strictObject({
    kind: z.literal('answers'),
    answers: z.array(QuestionAnswer).max(50).readonly(),
    byDefault: z.literal(true).optional(),
  }),
  /** The approved plan: edited, reordered, or with steps dropped or added. */
  z.strictObject({
    kind: z.literal('plan'),
    plan: WorkPlan,
    condition: z.string().max(20_000).nullable(),
    /** Whether everything that the plan does not list needs a signature in every mode. */
    asksOutside: z.boolean(),
  }),
  /** What the step does outside the signed plan becomes part of the plan, so that it never counts as a deviation again. */
  z.strictObject({ kind: z.literal('add_to_plan') }),
])
export type SignatureReply = z.infer<typeof SignatureReply>

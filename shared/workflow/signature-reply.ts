import { z } from 'zod'
import { QuestionAnswer } from './question.ts'
import { WorkPlan } from './work-plan.ts'

/** What a person says with a signature, where the request asks for more than yes or no. */
export const Reply = z.discriminatedUnion('kind', [
  /** One answer per question, in order; an MCP server may ask up to 50. `byDefault`: nobody was there, and the defaults count. */
  z.strictObject({
    kind: z.literal('answers'),
    answers: z.array(QuestionAnswer).max(50).readonly(),
    byDefault: z.literal(true).optional(),
  }),
  /** The plan as approved: edited, reordered, with steps dropped or added. */
  z.strictObject({
    kind: z.literal('plan'),
    plan: WorkPlan,
    condition: z.string().max(20_000).nullable(),
    /** Whatever the plan does not name needs a signature in every mode. */
    asksOutside: z.boolean(),
  }),
])
export type Reply = z.infer<typeof Reply>

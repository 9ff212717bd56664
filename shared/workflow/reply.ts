import { z } from 'zod'
import { QuestionAnswer } from './question.ts'

/** What a person says with a signature, where the request asks for more than yes or no. */
export const Reply = z.discriminatedUnion('kind', [
  /** One answer per question, in order. `byDefault`: nobody was there, and the defaults count. */
  z.strictObject({
    kind: z.literal('answers'),
    answers: z.array(QuestionAnswer).max(10).readonly(),
    byDefault: z.literal(true).optional(),
  }),
])
export type Reply = z.infer<typeof Reply>

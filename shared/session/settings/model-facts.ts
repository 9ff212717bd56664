import { z } from 'zod'
import { EFFORTS } from './effort.ts'

/** US dollars per million tokens, as set by a person. Left out: the cache costs as much as the input. */
export const OwnPrice = z.lazy(() => {
  const dollars = z.number().min(0).max(100_000)
  return z.object({ input: dollars, output: dollars, cacheRead: dollars.optional(), cacheWrite: dollars.optional() })
})
export type OwnPrice = Readonly<z.infer<typeof OwnPrice>>

/** What a person sets for one model. It overrides everything else that is known of the model. */
export const OwnFacts = z.lazy(() =>
  z.object({
    /** Tokens. */
    contextWindow: z.number().int().min(1_000).max(100_000_000).optional(),
    price: OwnPrice.optional(),
    /** For new sessions with this model; left out: the general default. */
    effort: z.enum(EFFORTS).optional(),
  }),
)
export type OwnFacts = Readonly<z.infer<typeof OwnFacts>>

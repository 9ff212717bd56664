import { z } from 'zod'

/** How much a model may think before it answers, from least to most. Each model accepts some of these. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type Effort = (typeof EFFORTS)[number]

/** US dollars per million tokens, as set by a person. Left out: the cache costs as much as the input. */
export const PersonPrice = z.lazy(() => {
  const dollars = z.number().min(0).max(100_000)
  return z.object({ input: dollars, output: dollars, cacheRead: dollars.optional(), cacheWrite: dollars.optional() })
})
export type PersonPrice = Readonly<z.infer<typeof PersonPrice>>

/** What a person sets for one model. It overrides everything else that is known of the model. */
export const PersonModelFacts = z.lazy(() =>
  z.object({
    /** Tokens. */
    contextWindow: z.number().int().min(1_000).max(100_000_000).optional(),
    price: PersonPrice.optional(),
    /** For new sessions with this model; left out: the general default. */
    effort: z.enum(EFFORTS).optional(),
  }),
)
export type PersonModelFacts = Readonly<z.infer<typeof PersonModelFacts>>

/** The one of `taken` closest to `asked`; the smaller of two equally close ones. `none` is returned only if asked for. */
export function nearestEffort(asked: Effort, taken: readonly Effort[]): Effort {
  if (taken.includes(asked)) return asked
  const distance = (effort: Effort): number => Math.abs(EFFORTS.indexOf(effort) - EFFORTS.indexOf(asked))
  const thinking = EFFORTS.filter((effort) => effort !== 'none' && taken.includes(effort))
  return thinking.reduce((best, effort) => (distance(effort) < distance(best) ? effort : best), thinking[0] ?? asked)
}

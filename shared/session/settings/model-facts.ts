import { z } from 'zod'

/** How much a model may think before it answers, from least to most. Each model accepts only some of these efforts. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type Effort = (typeof EFFORTS)[number]

/** The user's prices in US dollars per million tokens. If the cache prices are left out, the cache costs as much as the input. */
export const PersonPrice = z.lazy(() => {
  const dollars = z.number().min(0).max(100_000)
  return z.object({ input: dollars, output: dollars, cacheRead: dollars.optional(), cacheWrite: dollars.optional() })
})
export type PersonPrice = Readonly<z.infer<typeof PersonPrice>>

/** The user's facts about one model. They override everything else that is known about the model. */
export const PersonModelFacts = z.lazy(() =>
  z.object({
    /** Size in tokens. */
    contextWindow: z.number().int().min(1_000).max(100_000_000).optional(),
    price: PersonPrice.optional(),
    /** Effort in new sessions with this model. If left out, the general default is used. */
    effort: z.enum(EFFORTS).optional(),
  }),
)
export type PersonModelFacts = Readonly<z.infer<typeof PersonModelFacts>>

/**
 * Returns the effort in `taken` that is closest to `asked`. If two are equally close, returns the smaller one. `none` is returned only if
 * it is asked for.
 */
export function nearestEffort(asked: Effort, taken: readonly Effort[]): Effort {
  if (taken.includes(asked)) return asked
  const distance = (effort: Effort): number => Math.abs(EFFORTS.indexOf(effort) - EFFORTS.indexOf(asked))
  const thinking = EFFORTS.filter((effort) => effort !== 'none' && taken.includes(effort))
  return thinking.reduce((best, effort) => (distance(effort) < distance(best) ? effort : best), thinking[0] ?? asked)
}

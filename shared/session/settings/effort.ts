/** How much a model may think before it answers, from least to most. Each model accepts some of these. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type Effort = (typeof EFFORTS)[number]

/** The one of `taken` closest to `asked`; the smaller of two equally close ones. `none` is returned only if asked for. */
export function nearestEffort(asked: Effort, taken: readonly Effort[]): Effort {
  if (taken.includes(asked)) return asked
  const distance = (effort: Effort): number => Math.abs(EFFORTS.indexOf(effort) - EFFORTS.indexOf(asked))
  const thinking = EFFORTS.filter((effort) => effort !== 'none' && taken.includes(effort))
  return thinking.reduce((best, effort) => (distance(effort) < distance(best) ? effort : best), thinking[0] ?? asked)
}

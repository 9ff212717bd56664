/** How much a model may think before it answers, from least to most. Each model takes some of them. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type Effort = (typeof EFFORTS)[number]

/** The one of `taken` that comes closest to what is asked; of two equally close the smaller. `none` is taken only where it is asked. */
export function nearestEffort(asked: Effort, taken: readonly Effort[]): Effort {
  if (taken.includes(asked)) return asked
  const distance = (effort: Effort): number => Math.abs(EFFORTS.indexOf(effort) - EFFORTS.indexOf(asked))
  const thinking = EFFORTS.filter((effort) => effort !== 'none' && taken.includes(effort))
  return thinking.reduce((best, effort) => (distance(effort) < distance(best) ? effort : best), thinking[0] ?? asked)
}

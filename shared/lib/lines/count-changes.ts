import { anchors, comparable, type Section, withoutCommonEnds } from './line-diff.ts'

/** Maximum number of steps of `countChanges`, which need about 20 ms. */
const MAX_STEPS = 4_000_000

/**
 * Returns the exact numbers of added and removed lines. Null if that needs more than about 20 ms. It never does if up to about 2,000 lines
 * changed, or if no line occurs twice.
 */
export function countChanges(
  before: readonly string[],
  after: readonly string[],
): { readonly added: number; readonly removed: number } | null {
  const { a, b, inA, inB } = comparable(before, after)
  const common = commonLines(
    a.filter((id) => inB.has(id)),
    b.filter((id) => inA.has(id)),
  )
  return common === null ? null : { added: b.length - common, removed: a.length - common }
}

function commonLines(a: readonly number[], b: readonly number[]): number | null {
  if (new Set(a).size === a.length && new Set(b).size === b.length) return anchors(a, b).length
  return commonIn(a, b, { a0: 0, a1: a.length, b0: 0, b1: b.length }, { steps: MAX_STEPS })
}

/** Length of the longest common subsequence of a section (Myers, lengths only). Null if it needs more steps than are left. */
function commonIn(a: readonly number[], b: readonly number[], section: Section, budget: { steps: number }): number | null {
  const { a0, a1, b0, b1 } = withoutCommonEnds(a, b, section)
  const ends = a0 - section.a0 + section.a1 - a1
  const height = a1 - a0
  const width = b1 - b0
  const bound = Math.min(height + width, Math.ceil(Math.sqrt(2 * budget.steps)))
  /** The furthest position in `a` that is reached with the fewest edits so far, by diagonal. */
  const furthest = new Int32Array(2 * bound + 3)
  for (let edits = 0; edits <= bound && budget.steps > 0; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = diagonal + bound + 1
      const isDown = diagonal === -edits || (diagonal !== edits && (furthest[at - 1] ?? 0) < (furthest[at + 1] ?? 0))
      const from = isDown ? (furthest[at + 1] ?? 0) : (furthest[at - 1] ?? 0) + 1
      let x = from
      while (x < height && x - diagonal < width && a[a0 + x] === b[b0 + x - diagonal]) x++
      budget.steps -= x - from + 1
      furthest[at] = x
      if (x >= height && x - diagonal >= width) return ends + (height + width - edits) / 2
    }
  }
  return null
}

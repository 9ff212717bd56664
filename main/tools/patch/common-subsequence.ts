/** For each part of the new sequence, the index of the same part in the old sequence; undefined if the part is new. */
export type Kept = readonly (number | undefined)[]

/** Maximum number of cells in the table. Longer sequences are not compared. */
const MAX_CELLS = 1_000_000

/**
 * Returns a longest common subsequence in two versions: where several parts are equal, `early` uses the earliest and `late` uses the
 * latest. Null if the sequences are too long to compare.
 */
export function keptOf(old: readonly string[], fresh: readonly string[]): { readonly early: Kept; readonly late: Kept } | null {
  if (old.length * fresh.length > MAX_CELLS) return null
  const lengths = commonLengths(old, fresh)
  return { early: keptParts(old, fresh, lengths, true), late: keptParts(old, fresh, lengths, false) }
}

/** `[i][j]` is the length of the longest common subsequence of `a` from index `i` and `b` from index `j`. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = rows[i]
      const below = rows[i + 1]
      if (row && below) row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return rows
}

function keptParts(a: readonly string[], b: readonly string[], lengths: readonly Uint32Array[], preferEarly: boolean): Kept {
  const kept: (number | undefined)[] = b.map(() => undefined)
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const isKept = a[i] === b[j] && at(i, j) === at(i + 1, j + 1) + 1
    if (isKept && (preferEarly || at(i + 1, j) < at(i, j))) kept[j++] = i++
    else if (at(i + 1, j) === at(i, j)) i++
    else j++
  }
  return kept
}

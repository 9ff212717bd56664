/** Maximum number of globs to which one glob is expanded. More would keep the process busy. */
const MAX_PATTERNS = 400
/** An escaped character, a class, or one of the characters `{`, `,` and `}`. */
const SIGN = /\\[^]|\[[!^]?\]?(?:\[:\w+:\]|\\[^]|[^\\\]])*\]|[{},]/gu

/**
 * Expands braces that contain `**`, whose meaning depends on the text around them: `{src/**,*.ts}` becomes `src/**` and `*.ts`. Braces
 * with an empty alternative in a glob with `**` are expanded too. Other braces and malformed parts are kept. Null if there are too many
 * globs.
 */
export function expandBraces(glob: string): readonly string[] | null {
  const done = new Set<string>()
  const open = [glob]
  let made = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts = spreadOnce(next)
    if (parts) open.push(...parts.toReversed())
    else done.add(next)
    // Duplicates are counted too, because they can recur without end.
    made += parts?.length ?? 0
    if (made > MAX_PATTERNS) return null
  }
  return [...done]
}

/** Null if there is nothing to expand. */
function spreadOnce(glob: string): readonly string[] | null {
  /** For each open brace, the positions of the brace and its commas. The innermost brace is last. */
  const open: number[][] = []
  for (const { 0: sign, index } of glob.matchAll(SIGN)) {
    if (sign === '{') open.push([index])
    else if (sign === ',') open.at(-1)?.push(index)
    else if (sign === '}') {
      const places = open.pop()
      const group = glob.slice(places?.[0], index + 1)
      const isSpread = group.includes('**') || (glob.includes('**') && /[{,][,}]/u.test(group))
      if (places && isSpread) return partsOf(glob, [...places, index])
    }
  }
  return null
}

function partsOf(glob: string, places: readonly number[]): readonly string[] {
  const before = glob.slice(0, places[0])
  const after = glob.slice((places.at(-1) ?? 0) + 1)
  const parts = places.slice(1).map((end, index) => before + glob.slice((places[index] ?? 0) + 1, end) + after)
  return parts.map((part) => part.replaceAll(/\/{2,}/gu, '/'))
}

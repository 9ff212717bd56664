/** More, on the way and in the end, are thought to be made to keep us busy. */
const MOST = 400
/** An escaped character, a class, round brackets with a meaning, and what makes alternatives. */
const SIGN = /\\[^]|\[[!^]?\]?(?:\[:\w+:\]|\\[^]|[^\\\]])*\]|[@?*+!]\(|[{},)]/gu

/**
 * The globs that `glob` stands for, where its braces hold `**` or `!(…)`, whose meaning depends on what stands around them: `{src/**,*.ts}`
 * is `src/**` and `*.ts`. So are those of which an alternative is empty beside a `**`. Other braces stay, unless it is to be `all`, and so does
 * all that is not well formed. Null: there are too many.
 */
export function spreadBraces(glob: string, all: boolean): readonly string[] | null {
  const done = new Set<string>()
  const open = [glob]
  let made = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts = spreadOnce(next, all)
    if (parts) open.push(...parts.toReversed())
    else done.add(next)
    // The same ones may come again and again.
    made += parts?.length ?? 0
    if (made > MOST) return null
  }
  return [...done]
}

/** Null: there is nothing to spread. */
function spreadOnce(glob: string, all: boolean): readonly string[] | null {
  /** What is open, the innermost last; of braces the places of their commas. Braces in round brackets are not looked at. */
  const open: { readonly end: ')' | '}'; readonly from: number; readonly commas: number[] }[] = []
  for (const { 0: sign, index } of glob.matchAll(SIGN)) {
    const inner = open.at(-1)
    if (sign === '{' || sign.endsWith('(')) open.push({ end: sign === '{' ? '}' : ')', from: index, commas: [] })
    else if (sign === ',' && inner?.end === '}') inner.commas.push(index)
    else if (sign === inner?.end) {
      open.pop()
      const group = glob.slice(inner.from, index + 1)
      const isSpread = (all && group.includes(',')) || /\*\*|!\(/u.test(group) || (glob.includes('**') && /[{,][,}]/u.test(group))
      if (sign === '}' && isSpread && open.every(({ end }) => end === '}')) return partsOf(glob, [inner.from, ...inner.commas, index])
    }
  }
  return null
}

function partsOf(glob: string, places: readonly number[]): readonly string[] {
  const [before, after] = [glob.slice(0, places[0]), glob.slice((places.at(-1) ?? 0) + 1)]
  const parts = places.slice(1).map((end, index) => before + glob.slice((places[index] ?? 0) + 1, end) + after)
  return parts.map((part) => part.replaceAll(/\/{2,}/gu, '/'))
}

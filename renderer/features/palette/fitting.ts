/** Those whose words hold every typed word's letters in order, the best first within their group; all of them while nothing is typed. */
export function fitting<T extends { readonly words: string; readonly group: string; readonly aside?: string }>(
  all: readonly T[],
  typed: string,
): readonly T[] {
  const wanted = typed.trim().toLocaleLowerCase()
  if (wanted === '') return all
  const groups = [...new Set(all.map(({ group }) => group))]
  const scored = all.flatMap((one) => {
    const score = scoreOf(`${one.words} ${one.aside ?? ''}`.toLocaleLowerCase(), wanted)
    return score === null ? [] : [{ one, score }]
  })
  return groups.flatMap((group) =>
    scored
      .filter(({ one }) => one.group === group)
      .toSorted((a, b) => b.score - a.score)
      .map(({ one }) => one),
  )
}

/** 3: begins so · 2: a word of it begins so · 1: stands in it · 0: its letters stand in it in this order · null: not at all. */
function scoreOf(words: string, wanted: string): 0 | 1 | 2 | 3 | null {
  const at = words.indexOf(wanted)
  if (at === 0) return 3
  if (at > 0) return words[at - 1] === ' ' ? 2 : 1
  let from = 0
  for (const letter of wanted.replaceAll(' ', '')) {
    const found = words.indexOf(letter, from)
    if (found === -1) return null
    from = found + 1
  }
  return 0
}

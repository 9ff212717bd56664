/** Those that fit what was typed, the best first within their group; all of them while nothing is typed. */
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

/** 3: begins so · 2: a word of it begins so · 1: stands in it · 0: words of it begin so, one after the other · null: not at all. */
function scoreOf(words: string, wanted: string): 0 | 1 | 2 | 3 | null {
  const at = words.indexOf(wanted)
  if (at === 0) return 3
  if (at > 0) return words[at - 1] === ' ' ? 2 : 1
  return beginsWords(words.split(/\s+/), wanted.replaceAll(' ', '')) ? 0 : null
}

/** Whether letters are beginnings of words in this order: "gtn" of "Go to the next thing". */
function beginsWords(words: readonly string[], letters: string): boolean {
  const taken = new Set([0])
  for (const word of words) {
    for (const from of [...taken]) {
      for (let more = 0; word[more] !== undefined && word[more] === letters[from + more]; more++) taken.add(from + more + 1)
    }
  }
  return taken.has(letters.length)
}

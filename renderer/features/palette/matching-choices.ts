/** Returns the matching choices, best match first within each group. If nothing is typed, returns all choices. */
export function matchingChoices<T extends { readonly words: string; readonly group: string; readonly aside?: string }>(
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

/**
 * Score of a match. 3: the words start with the typed text. 2: one word starts with it. 1: the words contain it. 0: it consists of the
 * beginnings of words, in their order. Null if there is no match.
 */
function scoreOf(words: string, wanted: string): 0 | 1 | 2 | 3 | null {
  const at = words.indexOf(wanted)
  if (at === 0) return 3
  if (at > 0) return words[at - 1] === ' ' ? 2 : 1
  return beginsWords(words.split(/\s+/), wanted.replaceAll(' ', '')) ? 0 : null
}

/** Whether the letters consist of the beginnings of words, in the order of the words: "gtn" for "Go to the next thing". */
function beginsWords(words: readonly string[], letters: string): boolean {
  const taken = new Set([0])
  for (const word of words) {
    for (const from of [...taken]) {
      for (let more = 0; word[more] !== undefined && word[more] === letters[from + more]; more++) taken.add(from + more + 1)
    }
  }
  return taken.has(letters.length)
}

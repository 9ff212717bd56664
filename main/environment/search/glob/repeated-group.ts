/**
 * Why what stands in `*(…)` or `+(…)` cannot be repeated; null: it can. Where one text can be read as repetitions in two ways, an expression
 * tries them all, which doubles with each repetition: one name of sixty letters would hold the app up for ever (fault 21).
 */
export function whyNotRepeated(inner: string, caseSensitive: boolean): string | null {
  if (/\\|[*{(]/u.test(inner)) return 'what *(…) and +(…) repeat holds no *, backslash, braces or further brackets'
  const words = (caseSensitive ? inner : inner.toLowerCase()).split('|')
  if (words.length > 1 && /[?[]/u.test(inner))
    return 'what *(…) and +(…) repeat is one alternative where it holds ? or [; write [abc] for a|b|c'
  return isAmbiguous(words) ? '*(…) and +(…) repeat what can be put together in two ways; write @(a|b) for one of them' : null
}

/** Whether some text is a sequence of these words in two ways (Sardinas and Patterson): what is left over of one way is followed. */
function isAmbiguous(words: readonly string[]): boolean {
  if (words.includes('') || new Set(words).size < words.length) return true
  const restOf = (long: string, short: string): readonly string[] => (long.startsWith(short) ? [long.slice(short.length)] : [])
  const left = new Set(words.flatMap((word) => words.flatMap((other) => (word === other ? [] : restOf(word, other)))))
  // A set is walked to what is added meanwhile, too.
  for (const rest of left) {
    for (const word of words) for (const more of [...restOf(word, rest), ...restOf(rest, word)]) left.add(more)
    if (left.has('')) return true
  }
  return false
}

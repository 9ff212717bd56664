/** How long letters typed one after the other count as one word; the usual time of desktop lists. */
export const TYPE_AHEAD_MS = 600

/**
 * Where typing leads in a list: the next label, from the one after `current`, that begins with what was typed; one letter again and
 * again walks through all that begin with it. -1 if none does. Letters' case is ignored.
 */
export function typeAhead(labels: readonly string[], typed: string, current: number): number {
  const word = typed.toLocaleLowerCase()
  if (word === '') return -1
  const [letter = ''] = word
  const same = word === letter.repeat(word.length / letter.length)
  const wanted = same ? letter : word
  // while a longer word is being typed the one reached may still be right; a letter alone moves on
  const from = same ? current + 1 : Math.max(0, current)
  for (let step = 0; step < labels.length; step += 1) {
    const at = (from + step) % labels.length
    if (labels[at]?.toLocaleLowerCase().startsWith(wanted) === true) return at
  }
  return -1
}

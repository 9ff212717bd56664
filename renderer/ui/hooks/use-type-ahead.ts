import { useRef } from 'react'

interface TypedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly timeStamp: number
}

/** One character, as against the names of keys: `a`, `ö`, but not `Tab`. */
const isLetter = (key: string): boolean => /^.$/u.test(key)

/** Collects letters typed into a list and says where they lead; null for keys that are not letters and for words nothing begins with. */
export function useTypeAhead(labels: readonly string[]): (event: TypedKey, current: number) => number | null {
  const typed = useRef({ word: '', at: Number.NEGATIVE_INFINITY })
  return (event, current) => {
    if (!isLetter(event.key) || event.ctrlKey || event.metaKey || event.altKey) return null
    const fresh = event.timeStamp - typed.current.at > TYPE_AHEAD_MS
    // a space begins no word: it chooses
    if (fresh && event.key === ' ') return null
    const word = (fresh ? '' : typed.current.word) + event.key
    typed.current = { word, at: event.timeStamp }
    const to = typeAhead(labels, word, current)
    return to === -1 ? null : to
  }
}

/** How long letters typed one after the other count as one word; the usual time of desktop lists. */
const TYPE_AHEAD_MS = 600

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

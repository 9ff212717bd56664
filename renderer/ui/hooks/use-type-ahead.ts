import { useRef } from 'react'

interface TypedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly timeStamp: number
}

/** Whether a key is one character, such as `a` or `ö`, and not a name such as `Tab`. */
const isLetter = (key: string): boolean => /^.$/u.test(key)

/**
 * Returns a key handler that collects letters typed in a list and returns the index of the matching label. It returns null for other keys
 * or without a match.
 */
export function useTypeAhead(labels: readonly string[]): (event: TypedKey, current: number) => number | null {
  const typed = useRef({ word: '', at: Number.NEGATIVE_INFINITY })
  return (event, current) => {
    if (!isLetter(event.key) || event.ctrlKey || event.metaKey || event.altKey) return null
    const fresh = event.timeStamp - typed.current.at > TYPE_AHEAD_MS
    // A space at the beginning selects an option instead of starting a word.
    if (fresh && event.key === ' ') return null
    const word = (fresh ? '' : typed.current.word) + event.key
    typed.current = { word, at: event.timeStamp }
    const to = typeAhead(labels, word, current)
    return to === -1 ? null : to
  }
}

/** Maximum time in ms between letters that form one word, as in desktop lists. */
const TYPE_AHEAD_MS = 600

/**
 * The index of the first label that starts with the typed text, searched from `current` on and then from the top. -1 if there is none. One
 * letter, even if it is repeated, is searched from the label after `current`, so that it cycles through all labels that start with it. Case
 * is ignored.
 */
export function typeAhead(labels: readonly string[], typed: string, current: number): number {
  const word = typed.toLocaleLowerCase()
  if (word === '') return -1
  const [letter = ''] = word
  const same = word === letter.repeat(word.length / letter.length)
  const wanted = same ? letter : word
  // A longer text may still match the current label, but one repeated letter must move to the next label.
  const from = same ? current + 1 : Math.max(0, current)
  for (let step = 0; step < labels.length; step += 1) {
    const at = (from + step) % labels.length
    if (labels[at]?.toLocaleLowerCase().startsWith(wanted) === true) return at
  }
  return -1
}

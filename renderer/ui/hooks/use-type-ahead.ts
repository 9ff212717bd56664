import { useRef } from 'react'
import { TYPE_AHEAD_MS, typeAhead } from './type-ahead.ts'

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

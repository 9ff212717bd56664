import type { SeenHunk } from '../../../shared/api/changes/review.ts'
import type { HunkFacts } from '../../ui/diff/compare/use-file-hunks.ts'

/** `again` means that the hunk was seen before and has changed since. `seen.at` is in ms since 1970. */
export type HunkState =
  | { readonly kind: 'new' }
  | { readonly kind: 'seen'; readonly at: number }
  | { readonly kind: 'again'; readonly seen: SeenHunk }

const NEW: HunkState = { kind: 'new' }

/**
 * Returns the state of each hunk of a file. A hunk is `seen` if a mark has the same content. It is `again` if a mark with the same old
 * version matches no hunk anymore but covers lines at the hunk's place.
 */
export function hunkStates(hunks: readonly HunkFacts[], base: string | null, marks: readonly SeenHunk[]): readonly HunkState[] {
  const byKey = new Map(marks.map((mark) => [mark.key, mark]))
  const current = new Set(hunks.map(({ key }) => key))
  const lost = marks.filter((mark) => mark.base === base && !current.has(mark.key))
  return hunks.map((hunk) => {
    const mark = byKey.get(hunk.key)
    if (mark) return { kind: 'seen', at: mark.at }
    const seen = lost.findLast(({ lines: [from, to] }) => from <= hunk.before[1] && hunk.before[0] <= to)
    return seen ? { kind: 'again', seen } : NEW
  })
}

export interface SeenCount {
  readonly seen: number
  readonly again: number
  readonly all: number
}

export function countStates(states: readonly HunkState[]): SeenCount {
  const count = (kind: HunkState['kind']): number => states.filter((state) => state.kind === kind).length
  return { seen: count('seen'), again: count('again'), all: states.length }
}

import type { SeenHunk } from '../../../shared/api/changes/review.ts'
import type { HunkFacts } from '../../ui/diff/compare/use-file-hunks.ts'

/** `again`: seen before, and changed since. `seen.at` in ms since 1970. */
export type HunkState =
  | { readonly kind: 'new' }
  | { readonly kind: 'seen'; readonly at: number }
  | { readonly kind: 'again'; readonly seen: SeenHunk }

const NEW: HunkState = { kind: 'new' }

/**
 * What the person has seen of a file's hunks, by content. A hunk that is not among the marks is `again` if a mark that no hunk has any more
 * covers lines beside its own, in the same version before the change.
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

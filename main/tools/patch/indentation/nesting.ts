/** What is nested in what: lists have steps of their own. */
export type NestingKind = 'text in text' | 'item in text' | 'text in item' | 'item in item'

const ITEM = /^(?:[-*+]|\d+[.)])(?:\s+|$)/u

/** An entry of a list, in YAML or Markdown. */
export const isItem = (content: string): boolean => ITEM.test(content)

export function nestingKind(outer: string, inner: string): NestingKind {
  return `${isItem(inner) ? 'item' : 'text'} in ${isItem(outer) ? 'item' : 'text'}`
}

/** Whitespace of every kind, no-break spaces too. */
export const indentOf = (line: string): string => /^\s*/u.exec(line)?.[0] ?? ''

/** Columns of a list entry's marker with the whitespace behind it. */
export const markerWidth = (content: string): number => ITEM.exec(content)?.[0].length ?? 0

/** Whether what follows is one step deeper for certain. */
export const opensBlock = (content: string): boolean => /(?:[:{([]|=>|->|\b(?:do|then|else|begin))\s*(?:#.*|\/\/.*)?$/u.test(content)

/** For each line the nearest one above that is indented less; null: none. */
export function parentsOf(lines: readonly number[], indentOf: (index: number) => string): ReadonlyMap<number, number | null> {
  const parents = new Map<number, number | null>()
  const open: number[] = []
  for (const index of lines) {
    const own = indentOf(index).length
    while (open.length > 0 && indentOf(open.at(-1) ?? 0).length >= own) open.pop()
    parents.set(index, open.at(-1) ?? null)
    open.push(index)
  }
  return parents
}

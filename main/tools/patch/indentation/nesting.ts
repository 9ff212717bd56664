/** The kind of a nested line and the kind of its parent line. Lists have their own steps. */
export type NestingKind = 'text in text' | 'item in text' | 'text in item' | 'item in item'

const ITEM = /^(?:[-*+]|\d+[.)])(?:\s+|$)/u

/** Whether a line is an entry of a list, in YAML or Markdown. */
export const isItem = (content: string): boolean => ITEM.test(content)

export function nestingKind(outer: string, inner: string): NestingKind {
  return `${isItem(inner) ? 'item' : 'text'} in ${isItem(outer) ? 'item' : 'text'}`
}

/** The leading whitespace, including no-break spaces. */
export const indentOf = (line: string): string => /^\s*/u.exec(line)?.[0] ?? ''

/** Width of a list entry's marker, including the whitespace after it. */
export const markerWidth = (content: string): number => ITEM.exec(content)?.[0].length ?? 0

/** Whether the next line is certainly one step deeper. */
export const opensBlock = (content: string): boolean => /(?:[:{([]|=>|->|\b(?:do|then|else|begin))\s*(?:#.*|\/\/.*)?$/u.test(content)

/** For each line, the nearest line above with less indentation; null if there is none. */
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

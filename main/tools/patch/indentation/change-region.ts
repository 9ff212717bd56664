import type { FilePlace } from './file-indent-steps.ts'
import { type NestingKind, indentOf, isItem } from './nesting.ts'

/** A line of a change, without its ending. */
export interface IndentRow {
  readonly kind: 'context' | 'remove' | 'add'
  /** The indentation in the model's text. */
  readonly indent: string
  readonly content: string
  /** The indentation in the file; null for a new line. */
  readonly fileIndent: string | null
  /** Index of the old line of which this new line is a version. */
  readonly partner: number | null
}

/** The extra indentation of a line relative to its parent line, in the model's text and in the file. */
export interface Step {
  readonly parent: number
  readonly kind: NestingKind
  readonly model: string
  readonly file: string
}

export interface Region {
  readonly rows: readonly IndentRow[]
  readonly place: FilePlace
  /** The parent of each row by the model's indentation: `oldParents` among the old lines, `newParents` among the resulting lines. */
  readonly oldParents: ReadonlyMap<number, number | null>
  readonly newParents: ReadonlyMap<number, number | null>
  readonly steps: readonly Step[]
  /** The file's indentation of each row. Null while it is not known. */
  readonly known: (string | null)[]
}

/** The old row that a resulting row is a changed version of; otherwise the row itself. The children of both have the same indentation. */
export function originOf(index: number | null, rows: readonly IndentRow[]): number | null {
  if (index === null) return null
  const row = rows[index]
  if (row?.kind !== 'add') return index
  const partner = row.partner === null ? undefined : rows[row.partner]
  return partner?.indent === row.indent && isItem(partner.content) === isItem(row.content) ? row.partner : index
}

/** The place of a new line in the file. It starts at the line above, or at the first line of the block that the line above opens. */
export function placeOf(index: number, { rows, place }: Region): FilePlace {
  const above = rows.slice(0, index).filter(({ fileIndent }) => fileIndent !== null).length
  if (above === 0) return place
  const line = place.start + above - 1
  const next = place.texts.findIndex((text, at) => at > line && text.trim() !== '')
  const isHead = next >= 0 && indentOf(place.texts[next] ?? '').length > indentOf(place.texts[line] ?? '').length
  return { ...place, start: isHead ? next : line }
}

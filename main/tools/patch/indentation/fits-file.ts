import { type Region, placeOf } from './change-region.ts'
import { type FilePlace, ancestorIndents, stepInFile } from './file-indent-steps.ts'
import { indentOf, nestingKind } from './nesting.ts'

/** Whether a new line's indentation fits the file at this place. True if the file does not show which indentation fits. */
export function fitsFile(index: number, indent: string, region: Region): boolean {
  const { rows, place, newParents } = region
  const parent = newParents.get(index) ?? null
  if (parent !== null) return fitsStep(index, parent, region)
  const first = rows.findIndex(({ fileIndent, content }) => fileIndent !== null && content !== '')
  const old = rows[first]?.fileIndent ?? null
  if (old === null || indent === old) return true
  const outer = ancestorIndents(place)
  if (indent.length < old.length) return (outer.length === 0 || outer.includes(indent)) && !adopts(index, indent, region)
  return first < index || fitsAbove(indent, old, place)
}

/** Whether a new line at the end of the change would become the parent of lines below it that are currently nested in another line. */
function adopts(index: number, indent: string, { rows, place: { texts, end } }: Region): boolean {
  const isLast = rows.slice(index).every(({ fileIndent }) => fileIndent === null)
  const below = texts.slice(end).find((text) => text.trim() !== '')
  return isLast && below !== undefined && indentOf(below).length > indent.length
}

/**
 * Whether a new line with `indent` fits above a line with the smaller indentation `old`. Of the blocks that are open there, at most one may
 * be deeper than `old`, and its indentation must then be `indent`.
 */
function fitsAbove(indent: string, old: string, { texts, start }: FilePlace): boolean {
  const above = texts.slice(0, start).findLastIndex((text) => text.trim() !== '')
  const open = above < 0 ? [] : [indentOf(texts[above] ?? ''), ...ancestorIndents({ texts, start: above, end: start })]
  const deeper = open.filter((one) => one.length > old.length)
  return deeper.length === 0 || (deeper.length === 1 && deeper[0] === indent)
}

/** Whether the model's step to a nested line is the same as the step of the surrounding lines in the file. */
function fitsStep(index: number, parent: number, region: Region): boolean {
  const row = region.rows[index]
  const outer = region.rows[parent]
  if (!row || !outer) return true
  const inFile = stepInFile(placeOf(index, region), nestingKind(outer.content, row.content))
  return inFile.kind !== 'one' || outer.indent + inFile.step === row.indent
}

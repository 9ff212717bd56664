import { type IndentRow, type Region, originOf } from './change-region.ts'
import { indentOf, opensBlock } from './nesting.ts'

type Beside = { readonly kind: 'found'; readonly indent: string } | { readonly kind: 'unclear' } | { readonly kind: 'none' }
const UNCLEAR: Beside = { kind: 'unclear' }

/** Returns the file's indentation of the row's siblings: lines in the same block that the model indents exactly like the row. */
export function besideSiblings(index: number, row: IndentRow, region: Region, ofPartner: string | null): Beside {
  const { rows, oldParents, newParents, known } = region
  const parent = originOf(newParents.get(index) ?? null, rows)
  const old = [...oldParents].filter(([other, outer]) => rows[other]?.indent === row.indent && outer === parent)
  const there = new Set(old.map(([other]) => rows[other]?.fileIndent ?? ''))
  const above = sibling(index, -1, region)
  const below = sibling(index, 1, region)
  for (const one of [above, below]) if (one !== null) there.add(known[one] ?? '')
  if (ofPartner !== null && there.size > 1) return { kind: 'found', indent: ofPartner }
  if (ofPartner !== null) there.add(ofPartner)
  const [only] = there
  if (there.size === 1 && only !== undefined) return { kind: 'found', indent: only }
  if (there.size === 0) return { kind: 'none' }
  const indent = betweenUnlike(index, above, below, region)
  return indent === null ? UNCLEAR : { kind: 'found', indent }
}

/**
 * The nearest sibling whose indentation in the file is known: a line of the result in the same block, with the same indentation in the
 * model's text. `way` is -1 for lines above and 1 for lines below.
 */
function sibling(index: number, way: -1 | 1, { rows, known }: Region): number | null {
  const own = rows[index]?.indent ?? ''
  for (let at = index + way; at >= 0 && at < rows.length; at += way) {
    const row = rows[at]
    if (!row || row.kind === 'remove' || row.content === '') continue
    if (row.indent.length < own.length) return null
    if (row.indent === own && known[at] !== null) return at
  }
  return null
}

/**
 * The indentation of a new line between lines that have one indentation in the model's text but several in the file, as in a patch
 * without any indentation. It is certain only after a line that opens a block, or before a closing bracket.
 */
function betweenUnlike(index: number, above: number | null, below: number | null, { rows, known, place }: Region): string | null {
  const at = (row: number | null): string | null => (row === null ? null : (known[row] ?? null))
  const isClosing = (row: number | null): boolean => /^(?:[)\]}]|<\/)/u.test((row === null ? '' : rows[row]?.content) ?? '')
  const up = at(above)
  const down = at(below)
  if (above !== null && rows[above]?.kind === 'add' && opensBlock(rows[above].content)) {
    return !isClosing(index) && up !== null && down !== null && down.length > up.length ? down : null
  }
  if (up !== null && down !== null) {
    if (up === down) return up
    if (isClosing(index)) return null
    if (down.length > up.length) return down
    return isClosing(below) ? up : null
  }
  if (up !== null) return !isClosing(index) && (isClosing(above) || rows[above ?? 0]?.kind === 'add') ? up : null
  const before = place.texts.slice(0, place.start).findLast((text) => text.trim() !== '')
  return before === undefined || indentOf(before) === down ? down : null
}

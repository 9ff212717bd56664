import { type Result, failed, ok } from '../../../../shared/lib/result.ts'
import type { IndentRow, Region, Step } from './change-region.ts'
import type { FilePlace } from './file-indent-steps.ts'
import { fitsFile } from './fits-file.ts'
import { outdented, stepFor } from './nested-indent-steps.ts'
import { isItem, nestingKind, parentsOf } from './nesting.ts'
import { besideSiblings } from './sibling-indents.ts'

/** `row` is the index of the new line. `nesting` means that lines are nested in the model's text but not in the file. */
export interface UnclearIndent {
  readonly row: number
  readonly what: 'indentation' | 'nesting'
}

/**
 * The file's indentation for every line, derived from the old lines. It is never guessed. Fails if the step of a new line follows neither
 * from the old lines nor from the surrounding lines of the file.
 */
export function indentationsOf(rows: readonly IndentRow[], place: FilePlace): Result<readonly string[], UnclearIndent> {
  const old = rows.flatMap((row, index) => (row.kind !== 'add' && row.content !== '' ? [index] : []))
  const firstNew = rows.findIndex(({ kind, content }) => kind === 'add' && content !== '')
  if (firstNew < 0) return ok(rows.map(({ indent }) => indent))
  const isSame = old.every((index) => rows[index]?.fileIndent === rows[index]?.indent)
  const inResult = rows.flatMap((row, index) => (row.kind !== 'remove' && row.content !== '' ? [index] : []))
  const oldParents = parentsOf(old, (index) => rows[index]?.indent ?? '')
  const newParents = parentsOf(inResult, (index) => rows[index]?.indent ?? '')
  const steps = stepsOf(rows, oldParents)
  if (steps === null) return failed({ row: firstNew, what: 'nesting' })
  const region: Region = { rows, place, oldParents, newParents, steps, known: rows.map(({ fileIndent }) => fileIndent) }
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'add') continue
    const found = row.content === '' ? row.indent : indentFor(index, row, region)
    const indent = found ?? (isSame && fitsFile(index, row.indent, region) ? row.indent : null)
    if (indent === null) return failed({ row: index, what: 'indentation' })
    region.known[index] = indent
  }
  return ok(rows.map(({ indent }, index) => region.known[index] ?? indent))
}

/** Null if lines are nested in the model's text but not in the file, so that the two cannot be compared. */
function stepsOf(rows: readonly IndentRow[], parents: ReadonlyMap<number, number | null>): readonly Step[] | null {
  const steps: Step[] = []
  for (const [index, parent] of parents) {
    const row = rows[index]
    const outer = parent === null ? undefined : rows[parent]
    if (!row || !outer || parent === null) continue
    const real = row.fileIndent ?? ''
    const outerReal = outer.fileIndent ?? ''
    if (outerReal.startsWith(real)) return null
    if (!row.indent.startsWith(outer.indent) || !real.startsWith(outerReal)) continue
    const kind = nestingKind(outer.content, row.content)
    steps.push({ parent, kind, model: row.indent.slice(outer.indent.length), file: real.slice(outerReal.length) })
  }
  return steps
}

function indentFor(index: number, row: IndentRow, region: Region): string | null {
  const { rows, newParents } = region
  if (isTakenFromFile(index, region)) return row.indent
  const partner = row.partner === null ? undefined : rows[row.partner]
  const ofPartner = partner?.indent === row.indent && isNestedAlike(index, row.partner, region) ? partner.fileIndent : null
  const beside = besideSiblings(index, row, region, ofPartner)
  if (beside.kind === 'found') return beside.indent
  if (beside.kind === 'unclear') return null
  const parent = newParents.get(index) ?? null
  if (parent !== null) return nested(index, parent, region)
  const indent = outdented(row, region)
  return indent !== null && fitsFile(index, indent, region) ? indent : null
}

/** Whether the parents of a new line and of its old version are both list entries, or neither is. */
function isNestedAlike(index: number, partner: number | null, { rows, oldParents, newParents }: Region): boolean {
  const outer = [oldParents.get(partner ?? -1), newParents.get(index)].map((parent) => rows[parent ?? -1]?.content ?? '')
  return isItem(outer[0] ?? '') === isItem(outer[1] ?? '')
}

/**
 * Whether the model copied this indentation from the file: it contains tabs, although the model indents no old line with tabs. False before
 * a closing bracket that has this indentation in the file: if the model left out the outer indentation, the tabs may instead be a step
 * inside the bracket's block.
 */
function isTakenFromFile(index: number, { rows, newParents, known }: Region): boolean {
  const indent = rows[index]?.indent ?? ''
  const next = rows.slice(index).find(({ kind, content }) => kind !== 'add' && content !== '')
  if (next && /^[)\]}]/u.test(next.content) && next.indent.length < indent.length && next.fileIndent === indent) return false
  const old = rows.filter(({ kind, content }) => kind !== 'add' && content !== '')
  const parent = newParents.get(index) ?? null
  const isDeeper = parent === null || !(known[parent] ?? '').startsWith(indent)
  return (
    isDeeper &&
    indent.includes('\t') &&
    old.some(({ fileIndent }) => fileIndent === indent) &&
    !old.some((row) => row.indent.includes('\t'))
  )
}

/** The indentation that is one step deeper than that of the parent line. */
function nested(index: number, parent: number, region: Region): string | null {
  const { rows, known } = region
  const row = rows[index]
  const outer = rows[parent]
  const base = known[parent] ?? null
  if (!row || !outer || base === null || !row.indent.startsWith(outer.indent)) return null
  const step = stepFor(row.indent.slice(outer.indent.length), { index, parent }, region)
  return step === null ? null : base + step
}

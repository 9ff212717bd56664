import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { type FilePlace, type FileStep, ancestorIndents, enclosingSteps, stepInFile } from './file-steps.ts'
import { type NestingKind, indentOf, isItem, markerWidth, nestingKind, opensBlock, parentsOf } from './nesting.ts'

/** A line of a change, without its ending. */
export interface IndentRow {
  readonly kind: 'context' | 'remove' | 'add'
  /** As the model indents it. */
  readonly indent: string
  readonly content: string
  /** As the file does; null: a new line. */
  readonly fileIndent: string | null
  /** Index of the old line that this new line is a version of. */
  readonly partner: number | null
}

/** How much deeper a line is than the one that it is nested in: in the model's text and in the file. */
interface Step {
  readonly parent: number
  readonly kind: NestingKind
  readonly model: string
  readonly file: string
}

interface Region {
  readonly rows: readonly IndentRow[]
  readonly place: FilePlace
  /** The row that a row is nested in, by the model's indentation: among the old lines, and among those of the result. */
  readonly oldParents: ReadonlyMap<number, number | null>
  readonly newParents: ReadonlyMap<number, number | null>
  readonly steps: readonly Step[]
  /** The indentation that each row has in the file, as far as it is known. */
  readonly known: (string | null)[]
}

/** `row`: the new line in question. `nesting`: lines are nested in the model's text that are not nested in the file. */
export interface UnclearIndent {
  readonly row: number
  readonly what: 'indentation' | 'nesting'
}

/**
 * The indentation of every line as the file has it, which the old lines show. It is never guessed: where the step of a new line can be
 * told neither from the old lines nor from the file around them, it fails.
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
    const indent = found ?? (isSame ? row.indent : null)
    if (indent === null) return failed({ row: index, what: 'indentation' })
    region.known[index] = indent
  }
  return ok(rows.map(({ indent }, index) => region.known[index] ?? indent))
}

/** Null: lines are nested in the model's text that are not nested in the file, so that one says nothing of the other. */
function stepsOf(rows: readonly IndentRow[], parents: ReadonlyMap<number, number | null>): readonly Step[] | null {
  const steps: Step[] = []
  for (const [index, parent] of parents) {
    const [row, outer] = [rows[index], parent === null ? undefined : rows[parent]]
    if (!row || !outer || parent === null) continue
    const [real, outerReal] = [row.fileIndent ?? '', outer.fileIndent ?? '']
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
  const ofPartner = partner?.indent === row.indent ? partner.fileIndent : null
  const beside = besideSiblings(index, row, region, ofPartner)
  if (beside.kind === 'found') return beside.indent
  if (beside.kind === 'unclear') return null
  const parent = newParents.get(index) ?? null
  return parent === null ? outdented(row, region) : nested(index, parent, region)
}

/** Tabs that the model writes nowhere else: copied from the file as they are. */
function isTakenFromFile(index: number, { rows, newParents, known }: Region): boolean {
  const indent = rows[index]?.indent ?? ''
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

type Beside = { readonly kind: 'found'; readonly indent: string } | { readonly kind: 'unclear' } | { readonly kind: 'none' }
const UNCLEAR: Beside = { kind: 'unclear' }

/** From lines of the same block that the model indents alike. */
function besideSiblings(index: number, row: IndentRow, region: Region, ofPartner: string | null): Beside {
  const { rows, oldParents, newParents, known } = region
  const parent = originOf(newParents.get(index) ?? null, rows)
  const old = [...oldParents].filter(([other, outer]) => rows[other]?.indent === row.indent && outer === parent)
  const there = new Set(old.map(([other]) => rows[other]?.fileIndent ?? ''))
  const [above, below] = [sibling(index, -1, region), sibling(index, 1, region)]
  for (const one of [above, below]) if (one !== null) there.add(known[one] ?? '')
  if (ofPartner !== null && there.size > 1) return { kind: 'found', indent: ofPartner }
  if (ofPartner !== null) there.add(ofPartner)
  const [only] = there
  if (there.size === 1 && only !== undefined) return { kind: 'found', indent: only }
  if (there.size === 0) return { kind: 'none' }
  const indent = betweenUnlike(index, above, below, region)
  return indent === null ? UNCLEAR : { kind: 'found', indent }
}

/** The nearest line of known indentation in the same block of the result; `way`: -1 above, 1 below. */
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

/** The old row that a row of the result is a version of, so that what was nested in one is nested in the other. */
function originOf(index: number | null, rows: readonly IndentRow[]): number | null {
  if (index === null) return null
  const row = rows[index]
  if (row?.kind !== 'add') return index
  const partner = row.partner === null ? undefined : rows[row.partner]
  return partner?.indent === row.indent ? row.partner : index
}

/**
 * The model indents lines alike that the file indents differently, as in a patch without any indentation: a new line between them is only
 * certain behind a head and before a closing bracket.
 */
function betweenUnlike(index: number, above: number | null, below: number | null, { rows, known, place }: Region): string | null {
  const at = (row: number | null): string | null => (row === null ? null : (known[row] ?? null))
  const isClosing = (row: number | null): boolean => /^(?:[)\]}]|<\/)/u.test((row === null ? '' : rows[row]?.content) ?? '')
  const [up, down] = [at(above), at(below)]
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

/** One step deeper than the line that it is nested in. */
function nested(index: number, parent: number, region: Region): string | null {
  const { rows, known } = region
  const [row, outer] = [rows[index], rows[parent]]
  const base = known[parent] ?? null
  if (!row || !outer || base === null || !row.indent.startsWith(outer.indent)) return null
  const step = stepFor(row.indent.slice(outer.indent.length), { index, parent }, region)
  return step === null ? null : base + step
}

/** A step of the model as one of the file. */
function stepFor(model: string, at: { readonly index: number; readonly parent: number }, region: Region): string | null {
  const { rows, steps } = region
  const [outer, inner] = [rows[at.parent]?.content ?? '', rows[at.index]?.content ?? '']
  const kind = nestingKind(outer, inner)
  const own = steps.filter((step) => step.kind === kind && step.model === model)
  const origin = originOf(at.parent, rows)
  const nearest = own.filter((step) => step.parent === origin)
  if (nearest.length > 0) return theOnly(nearest.map(({ file }) => file))
  if (own.length > 0) {
    const only = theOnly(own.map(({ file }) => file))
    return kind === 'text in item' || isUsedAround(only, at.index, region) ? only : null
  }
  const inFile = stepInFile(placeOf(at.index, region), kind)
  if (kind === 'text in item' && model.length === markerWidth(outer)) {
    return inFile.kind === 'none' || (inFile.kind === 'one' && inFile.step === model) ? model : null
  }
  const multiple = multipleOf(
    model,
    steps.filter((step) => step.kind === kind || (step.kind === 'text in text' && kind !== 'text in item')),
  )
  if (multiple !== null) return kind === 'text in text' || inFile.kind !== 'one' || inFile.step === multiple ? multiple : null
  if (steps.some((step) => step.kind === kind)) return null
  return stepOfFile(model, outer, { kind, inFile }, region)
}

/** Whether the blocks that a new line stands in take no other step: a file may indent each of its parts in a way of its own. */
function isUsedAround(step: string | null, index: number, region: Region): boolean {
  return enclosingSteps(placeOf(index, region)).every((one) => one === step)
}

/** Where a new line comes to stand: in the block of the line above it, or in the one that the line above begins. */
function placeOf(index: number, { rows, place }: Region): FilePlace {
  const above = rows.slice(0, index).filter(({ fileIndent }) => fileIndent !== null).length
  if (above === 0) return place
  const line = place.start + above - 1
  const next = place.texts.findIndex((text, at) => at > line && text.trim() !== '')
  const isHead = next >= 0 && indentOf(place.texts[next] ?? '').length > indentOf(place.texts[line] ?? '').length
  return { ...place, start: isHead ? next : line }
}

function theOnly(found: readonly string[]): string | null {
  return new Set(found).size === 1 ? found[0] || null : null
}

/** So many times the smallest step that the old lines show; null: no multiple, or they show different ones. */
function multipleOf(model: string, steps: readonly Step[]): string | null {
  const found = steps.flatMap((step) => {
    const times = model.length / step.model.length
    return step.model.repeat(times) === model ? [step.file.repeat(times)] : []
  })
  return theOnly(found)
}

/** The old lines show no such step: it is the file's own, if the model's text has only one. */
function stepOfFile(
  model: string,
  outer: string,
  { kind, inFile }: { readonly kind: NestingKind; readonly inFile: FileStep },
  region: Region,
): string | null {
  const fromMargin = marginStep(region)
  if (inFile.kind === 'many') return null
  if (inFile.kind === 'none') {
    if (fromMargin !== null) return fromMargin.model === model ? fromMargin.file : null
    const others = region.steps.filter((step) => step.kind !== 'text in item')
    if (others.length > 0) return theOnly(others.map((step) => (step.model === model ? step.file : '')))
    return isLikeFile(model, region) ? model : null
  }
  const isOneStep = modelSteps(kind, region).every((step) => step === model)
  const isOneLevel = isItem(outer) || opensBlock(outer) || (inFile.step === '\t' && !model.includes('\t'))
  if (inFile.step !== model && !(isOneStep && isOneLevel)) return null
  return fromMargin === null || !isOneStep || fromMargin.model === model ? inFile.step : null
}

/** Whether no line of the file around is indented with anything else. */
function isLikeFile(model: string, { rows }: Region): boolean {
  return rows.every(({ fileIndent }) => fileIndent === null || [...fileIndent].every((char) => char === model[0]))
}

/** The different steps that the result takes in the model's text. */
function modelSteps(kind: NestingKind, { rows, newParents }: Region): readonly string[] {
  return [...newParents].flatMap(([index, parent]) => {
    const [row, outer] = [rows[index], parent === null ? undefined : rows[parent]]
    if (!row || !outer || nestingKind(outer.content, row.content) !== kind) return []
    return [row.indent.slice(outer.indent.length)]
  })
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

interface MarginStep {
  readonly model: string
  readonly file: string
}

/** The step that takes both texts from the margin to the old lines, if as many of them do it in both. */
function marginStep({ rows, place, oldParents }: Region): MarginStep | null {
  const outer = ancestorIndents(place)
  const roots = [...oldParents].flatMap(([index, parent]) => (parent === null && rows[index] ? [rows[index]] : []))
  const found = roots.flatMap(({ indent, fileIndent }): readonly (MarginStep | null)[] => {
    if (indent === '' && fileIndent === '') return []
    if (fileIndent === null || indent === '' || fileIndent === '') return [null]
    const depth = /^\t+$/u.test(fileIndent) ? fileIndent.length : outer.length
    const [model, file] = [indent.slice(0, indent.length / depth), fileIndent.slice(0, fileIndent.length / depth)]
    const isEven = depth > 0 && model.repeat(depth) === indent && file.repeat(depth) === fileIndent
    return [isEven && outer.every((one, at) => one === file.repeat(outer.length - 1 - at)) ? { model, file } : null]
  })
  const [first] = found
  return first && found.every((one) => one?.model === first.model && one.file === first.file) ? first : null
}

/** Further out than all lines around it: certain only where the model's own text shows the step. */
function outdented({ indent }: IndentRow, region: Region): string | null {
  const fromMargin = marginStep(region)
  const widths = [...region.rows].flatMap((row) => (row.content === '' ? [] : [row.indent.length]))
  const step = widths.map((width) => width - Math.min(...widths)).reduce(commonDivisor, 0)
  if (fromMargin?.model.length !== step) return null
  const depth = indent.length / fromMargin.model.length
  if (fromMargin.model.repeat(depth) !== indent) return null
  const shown = region.steps.filter((step) => step.model === fromMargin.model).map(({ file }) => file)
  return shown.every((file) => file === fromMargin.file) ? fromMargin.file.repeat(depth) : null
}

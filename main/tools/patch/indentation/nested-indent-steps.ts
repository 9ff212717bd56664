import { type IndentRow, type Region, type Step, originOf, placeOf } from './change-region.ts'
import { type FileStep, ancestorIndents, enclosingSteps, stepInFile } from './file-indent-steps.ts'
import { type NestingKind, isItem, markerWidth, nestingKind, opensBlock } from './nesting.ts'

/** The file's step that corresponds to a step of the model; null if unknown. */
export function stepFor(model: string, at: { readonly index: number; readonly parent: number }, region: Region): string | null {
  const { rows, steps } = region
  const outer = rows[at.parent]?.content ?? ''
  const inner = rows[at.index]?.content ?? ''
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
  const shown = steps.filter((step) => step.kind === kind || (step.kind === 'text in text' && kind !== 'text in item'))
  const multiple = multipleOf(model, shown)
  if (multiple !== null && !shown.every(({ file }) => isUsedAround(file, at.index, region))) return null
  if (multiple !== null) return kind === 'text in text' || inFile.kind !== 'one' || inFile.step === multiple ? multiple : null
  if (steps.some((step) => step.kind === kind)) return null
  return stepOfFile(model, outer, { kind, inFile }, region)
}

/** Whether the blocks that contain a new line use only this step. Each part of a file may be indented differently. */
function isUsedAround(step: string | null, index: number, region: Region): boolean {
  return enclosingSteps(placeOf(index, region)).every((one) => one === step)
}

function theOnly(found: readonly string[]): string | null {
  return new Set(found).size === 1 ? found[0] || null : null
}

/**
 * The file's indentation for a multiple of the steps in the old lines; null if `model` is not such a multiple or the old lines disagree.
 */
function multipleOf(model: string, steps: readonly Step[]): string | null {
  const found = steps.flatMap((step) => {
    const times = model.length / step.model.length
    return step.model.repeat(times) === model ? [step.file.repeat(times)] : []
  })
  return theOnly(found)
}

/** Returns the file's step for a step of the model that does not occur in the old lines, if the model's text uses only one step. */
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

/** Whether the file indents the old lines only with the first character of `model`. */
function isLikeFile(model: string, { rows }: Region): boolean {
  return rows.every(({ fileIndent }) => fileIndent === null || [...fileIndent].every((char) => char === model[0]))
}

/** All steps of one kind in the resulting lines, as the model indents them. */
function modelSteps(kind: NestingKind, { rows, newParents }: Region): readonly string[] {
  return [...newParents].flatMap(([index, parent]) => {
    const row = rows[index]
    const outer = parent === null ? undefined : rows[parent]
    if (!row || !outer || nestingKind(outer.content, row.content) !== kind) return []
    return [row.indent.slice(outer.indent.length)]
  })
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

interface MarginStep {
  readonly model: string
  readonly file: string
}

/**
 * The step per level between the margin and the old lines, in the model's text and in the file. Null if the levels of the two do not
 * correspond.
 */
function marginStep({ rows, place, oldParents }: Region): MarginStep | null {
  const outer = ancestorIndents(place)
  const roots = [...oldParents].flatMap(([index, parent]) => (parent === null && rows[index] ? [rows[index]] : []))
  const found = roots.flatMap(({ indent, fileIndent }): readonly (MarginStep | null)[] => {
    if (indent === '' && fileIndent === '') return []
    if (fileIndent === null || indent === '' || fileIndent === '') return [null]
    const depth = /^\t+$/u.test(fileIndent) ? fileIndent.length : outer.length
    const model = indent.slice(0, indent.length / depth)
    const file = fileIndent.slice(0, fileIndent.length / depth)
    const isEven = depth > 0 && model.repeat(depth) === indent && file.repeat(depth) === fileIndent
    return [isEven && outer.every((one, at) => one === file.repeat(outer.length - 1 - at)) ? { model, file } : null]
  })
  const [first] = found
  return first && found.every((one) => one?.model === first.model && one.file === first.file) ? first : null
}

/**
 * Returns the file's indentation of a line that has no parent among the other lines. It is known only if the model's text shows the line's
 * step.
 */
export function outdented({ indent }: IndentRow, region: Region): string | null {
  const byTabs = outdentedByTabs(indent, region)
  if (byTabs !== null) return byTabs
  const fromMargin = marginStep(region)
  const widths = [...region.rows].flatMap((row) => (row.content === '' ? [] : [row.indent.length]))
  const step = widths.map((width) => width - Math.min(...widths)).reduce(commonDivisor, 0)
  if (fromMargin?.model.length !== step) return null
  const depth = indent.length / fromMargin.model.length
  if (fromMargin.model.repeat(depth) !== indent) return null
  const shown = region.steps.filter((step) => step.model === fromMargin.model).map(({ file }) => file)
  return shown.every((file) => file === fromMargin.file) ? fromMargin.file.repeat(depth) : null
}

/** If the model indents only with tabs, each tab is one level, and the surrounding lines show the file's indentation for each level. */
function outdentedByTabs(indent: string, { rows, place }: Region): string | null {
  const solid = rows.filter((row) => row.content !== '')
  const first = solid.find((row) => row.kind !== 'add')
  if (!first || solid.some((row) => !/^\t*$/u.test(row.indent))) return null
  return ancestorIndents(place)[first.indent.length - indent.length - 1] ?? null
}

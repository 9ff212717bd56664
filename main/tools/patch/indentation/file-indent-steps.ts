import { type NestingKind, indentOf, isItem, nestingKind, opensBlock, parentsOf } from './nesting.ts'

/** The lines of a file from `start` (0-based) up to, but not including, `end`. */
export interface FilePlace {
  readonly texts: readonly string[]
  readonly start: number
  readonly end: number
}

/** The file's indentation step for nested lines. `many` means that there are several steps, so none can be chosen. */
export type FileStep = { readonly kind: 'none' } | { readonly kind: 'many' } | { readonly kind: 'one'; readonly step: string }

/** Number of lines that are examined on each side of a place. */
const NEAR = 300

/**
 * Returns the step of the blocks that contain the place or, if there are none, of blocks near it. If the file has no nesting of this kind,
 * uses the steps of all other kinds except list markers.
 */
export function stepInFile(place: FilePlace, kind: NestingKind): FileStep {
  const near = stepsNear(place)
  const alike = near.filter((step) => step.kind === kind)
  const around = alike.length > 0 || kind === 'text in item' ? alike : near.filter((step) => step.kind !== 'text in item')
  // Fields below a list entry are indented by the width of the entry's marker, regardless of the step of the surrounding blocks.
  const outer = near.filter((step) => step.encloses && (step.kind === 'text in item') === (kind === 'text in item'))
  const enclosing = outer.filter((step) => around.includes(step))
  const headed = around.filter((step) => step.isHeaded)
  const nearest = enclosing.length > 0 ? enclosing : headed.length > 0 ? headed : around
  const [first] = nearest
  if (first === undefined) return { kind: 'none' }
  return [...nearest, ...outer].every(({ step }) => step === first.step) ? { kind: 'one', step: first.step } : { kind: 'many' }
}

/** The steps from the margin to the first line of the place, excluding the steps of list markers. */
export function enclosingSteps(place: FilePlace): readonly string[] {
  return stepsNear(place).flatMap(({ encloses, kind, step }) => (encloses && kind !== 'text in item' ? [step] : []))
}

/** The indentations of the ancestors of the place's first line, innermost first. */
export function ancestorIndents({ texts, start }: FilePlace): readonly string[] {
  const found: string[] = []
  const first = texts.slice(start).find((text) => text.trim() !== '') ?? ''
  let least = indentOf(first).length
  for (let at = start - 1; at >= 0 && at >= start - NEAR * 10 && least > 0; at--) {
    const text = texts[at] ?? ''
    if (text.trim() === '' || indentOf(text).length >= least) continue
    found.push(indentOf(text))
    least = indentOf(text).length
  }
  return found
}

interface StepNear {
  readonly kind: NestingKind
  readonly step: string
  /** Whether the step leads to the first line of the place, or to one of that line's parents. */
  readonly encloses: boolean
  /** Whether the outer line certainly opens a block. */
  readonly isHeaded: boolean
}

function stepsNear({ texts, start, end }: FilePlace): readonly StepNear[] {
  const from = Math.max(0, start - NEAR)
  const lines = texts.slice(from, end + NEAR).flatMap((text, index) => (text.trim() === '' ? [] : [from + index]))
  const indent = (index: number): string => indentOf(texts[index] ?? '')
  const parents = parentsOf(lines, indent)
  const first = lines.find((line) => line >= start)
  const enclosing = new Set<number>()
  for (let at: number | null = first ?? null; at !== null; at = parents.get(at) ?? null) enclosing.add(at)
  return [...parents].flatMap(([index, parent]): readonly StepNear[] => {
    if (parent === null) return []
    const inner = indent(index)
    const outer = indent(parent)
    const text = (texts[index] ?? '').trimStart()
    const head = (texts[parent] ?? '').trimStart()
    // With mixed tabs and spaces, the step is unknown.
    const step = inner.startsWith(outer) ? inner.slice(outer.length) : `${outer}|${inner}`
    return [{ kind: nestingKind(head, text), step, encloses: enclosing.has(index), isHeaded: opensBlock(head) || isItem(head) }]
  })
}

import { Buffer } from 'node:buffer'
import { diffLines, type LineChange } from '../../../shared/lib/line-diff.ts'
import type { ConflictChoice, ConflictLines, ConflictRegion } from '../../../shared/lib/line-conflict.ts'

/** A file before the step, after it, and now. */
export interface Versions {
  readonly before: Uint8Array
  readonly step: Uint8Array
  readonly now: Uint8Array
}

/** Lines as Latin-1 strings with one character per byte, so that no byte changes in the process. */
type Lines = readonly string[]

export type MergePart =
  | { readonly kind: 'lines'; readonly lines: Lines }
  | { readonly kind: 'conflict'; readonly before: Lines; readonly now: Lines; readonly region: ConflictRegion }

/** The file without the step's changes, in parts. Null if it is not text, or too long to be compared. */
export function mergeStep({ before, step, now }: Versions): readonly MergePart[] | null {
  const [a, o, b] = [now, step, before].map(linesOf)
  if (!a || !o || !b) return null
  const head = sharedHead([a, o, b])
  const tail = sharedTail([a, o, b], head)
  const middle = (lines: Lines): Lines => lines.slice(head, lines.length - tail)
  const texts = { now: middle(a), step: middle(o), before: middle(b) }
  if (Object.values(texts).some((lines) => lines.length > MAX_LINES)) return null
  return [{ kind: 'lines', lines: a.slice(0, head) }, ...merged(texts, head), { kind: 'lines', lines: a.slice(a.length - tail) }]
}

interface Texts {
  readonly now: Lines
  readonly step: Lines
  readonly before: Lines
}

/** `offset`: number of lines above the texts. */
function merged(texts: Texts, offset: number): readonly MergePart[] {
  const hunks = [...hunksOf('now', texts), ...hunksOf('before', texts)].toSorted((a, b) => a.beforeStart - b.beforeStart)
  const parts: MergePart[] = []
  let at = 0
  for (const region of regionsOf(hunks)) {
    parts.push({ kind: 'lines', lines: texts.step.slice(at, region.start) }, partOf(region, texts, offset))
    at = region.end
  }
  return [...parts, { kind: 'lines', lines: texts.step.slice(at) }]
}

/** How one side differs from the lines after the step. */
interface Hunk extends LineChange {
  readonly side: 'now' | 'before'
}

const hunksOf = (side: Hunk['side'], texts: Texts): readonly Hunk[] =>
  diffLines(texts.step, texts[side], MAX_EDITS).map((change) => ({ ...change, side }))

/** A range of the lines after the step in which hunks overlap or touch. */
interface Region {
  readonly start: number
  readonly end: number
  readonly hunks: readonly Hunk[]
}

function regionsOf(hunks: readonly Hunk[]): readonly Region[] {
  const regions: Region[] = []
  for (const hunk of hunks) {
    const last = regions.at(-1)
    if (last === undefined || hunk.beforeStart > last.end) regions.push({ start: hunk.beforeStart, end: hunk.beforeEnd, hunks: [hunk] })
    else regions[regions.length - 1] = { ...last, end: Math.max(last.end, hunk.beforeEnd), hunks: [...last.hunks, hunk] }
  }
  return regions
}

function partOf(region: Region, texts: Texts, offset: number): MergePart {
  const [now, before] = [rangeOf(region, 'now', texts), rangeOf(region, 'before', texts)]
  if (now === null) return { kind: 'lines', lines: before?.lines ?? [] }
  if (before === null || isSameText(now.lines, before.lines)) return { kind: 'lines', lines: now.lines }
  const step = { start: region.start, lines: texts.step.slice(region.start, region.end) }
  const at = ({ start, lines }: Range): ConflictLines => ({ line: offset + start + 1, lines: lines.map(shown) })
  return { kind: 'conflict', before: before.lines, now: now.lines, region: { now: at(now), step: at(step), before: at(before) } }
}

interface Range {
  readonly start: number
  readonly lines: Lines
}

/** The lines of one side that correspond to the region. Null if this side does not differ there. */
function rangeOf({ start, end, hunks }: Region, side: Hunk['side'], texts: Texts): Range | null {
  const own = hunks.filter((hunk) => hunk.side === side)
  const [first, last] = [own[0], own.at(-1)]
  if (!first || !last) return null
  const from = first.afterStart - (first.beforeStart - start)
  return { start: from, lines: texts[side].slice(from, last.afterEnd + (end - last.beforeEnd)) }
}

const isSameText = (a: Lines, b: Lines): boolean => a.length === b.length && a.every((line, index) => line === b[index])

/** The merged file. `choices`: one for each conflict, in order. Returns null if there are too few or too many choices. */
export function mergedBytes(parts: readonly MergePart[], choices: readonly ConflictChoice[]): Uint8Array | null {
  const conflicts = parts.filter(({ kind }) => kind === 'conflict').length
  if (conflicts !== choices.length) return null
  let index = 0
  const lines = parts.flatMap((part) => (part.kind === 'lines' ? part.lines : chosen(part, choices[index++] ?? 'now')))
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** Maximum number of lines between the first and the last change. Comparing that many takes about 30 ms. */
const MAX_LINES = 50_000
/** If more lines than this differ between two versions, the versions are compared more coarsely. */
const MAX_EDITS = 200

function linesOf(bytes: Uint8Array): Lines | null {
  return bytes.includes(0) ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('\n')
}

const shown = (line: string): string => Buffer.from(line, 'latin1').toString('utf8').replace(/\r$/u, '')

function chosen({ before, now }: Extract<MergePart, { kind: 'conflict' }>, choice: ConflictChoice): Lines {
  if (choice === 'now') return now
  if (choice === 'before') return before
  if (choice.text === '') return []
  const end = [...now, ...before].every((line) => line.endsWith('\r')) ? '\r' : ''
  return Buffer.from(choice.text, 'utf8')
    .toString('latin1')
    .split('\n')
    .map((line) => `${line}${end}`)
}

function sharedHead([first = [], ...others]: readonly Lines[]): number {
  let head = 0
  while (head < first.length && others.every((lines) => head < lines.length && lines[head] === first[head])) head++
  return head
}

function sharedTail([first = [], ...others]: readonly Lines[], head: number): number {
  let tail = 0
  const most = Math.min(first.length, ...others.map(({ length }) => length)) - head
  while (tail < most && others.every((lines) => lines[lines.length - 1 - tail] === first[first.length - 1 - tail])) tail++
  return tail
}

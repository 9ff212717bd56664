import { Buffer } from 'node:buffer'
import { type LineChange, lineDiffPasses } from '../../../shared/lib/lines/line-diff.ts'
import { finished, type Passes } from '../../../shared/lib/passes.ts'
import type { ConflictChoice, ConflictLines, ConflictRegion } from '../../../shared/lib/lines/line-conflict.ts'
import { runInSlices } from '../../agent/event-loop-slices.ts'
import { lineCount, sharedEnds } from '../count-changed-lines.ts'

/** A file before the step, after it, and now. */
export interface Versions {
  readonly before: Uint8Array
  readonly step: Uint8Array
  readonly now: Uint8Array
}

/** Lines as Latin-1 strings with one character per byte, so that no byte changes in the process. */
type Lines = readonly string[]

type MergePart =
  | { readonly kind: 'lines'; readonly lines: Lines }
  | { readonly kind: 'conflict'; readonly before: Lines; readonly now: Lines; readonly region: ConflictRegion }

/** The file without the step's changes. */
export interface Merge {
  /**
   * The lines with which all versions begin (`above`) and end (`below`), or null if there are none. They are not split into lines, because
   * they may be much longer than the parts between them. `above` does not include its last line feed.
   */
  readonly above: Uint8Array | null
  readonly parts: readonly MergePart[]
  readonly below: Uint8Array | null
}

/** Null if one of the versions is not text, or if the lines from the first to the last change are too long to be compared. */
export const mergeStep = (versions: Versions): Merge | null => finished(mergePasses(versions))

/** Like `mergeStep`, but other work can run in between. The bytes must not change before it resolves. */
export const mergeStepInSlices = (versions: Versions): Promise<Merge | null> => runInSlices(mergePasses(versions))

function* mergePasses(versions: Versions): Passes<Merge | null> {
  const a = bufferOf(versions.now)
  const o = bufferOf(versions.step)
  const b = bufferOf(versions.before)
  for (const text of [a, o, b]) {
    if (text.includes(0)) return null
    yield
  }
  const { head, tail } = yield* sharedEnds(a, [o, b])
  const middle = (text: Buffer): Passes<Lines | null> => linesOf(text.subarray(head, text.length - tail), tail > 0)
  const now = yield* middle(a)
  const step = yield* middle(o)
  const before = yield* middle(b)
  if (!now || !step || !before) return null
  return {
    above: head > 0 ? a.subarray(0, head - 1) : null,
    parts: yield* merged({ now, step, before }, yield* lineCount(a.subarray(0, head))),
    below: tail > 0 ? a.subarray(a.length - tail) : null,
  }
}

interface Texts {
  readonly now: Lines
  readonly step: Lines
  readonly before: Lines
}

/** `offset`: number of lines above the texts. */
function* merged(texts: Texts, offset: number): Passes<readonly MergePart[]> {
  const hunks = [...(yield* hunksOf('now', texts)), ...(yield* hunksOf('before', texts))].toSorted((a, b) => a.beforeStart - b.beforeStart)
  const parts: MergePart[] = []
  let at = 0
  for (const region of regionsOf(hunks)) {
    parts.push({ kind: 'lines', lines: texts.step.slice(at, region.start) }, yield* partOf(region, texts, offset))
    at = region.end
    yield
  }
  return [...parts, { kind: 'lines', lines: texts.step.slice(at) }]
}

/** How one side differs from the lines after the step. */
interface Hunk extends LineChange {
  readonly side: 'now' | 'before'
}

function* hunksOf(side: Hunk['side'], texts: Texts): Passes<readonly Hunk[]> {
  const changes = yield* lineDiffPasses(texts.step, texts[side], MAX_EDITS)
  yield
  return changes.map((change) => ({ ...change, side }))
}

/** A range of the lines after the step in which hunks overlap or touch. */
interface Region {
  readonly start: number
  readonly end: number
  readonly hunks: readonly Hunk[]
}

function regionsOf(hunks: readonly Hunk[]): readonly Region[] {
  const regions: { readonly start: number; end: number; readonly hunks: Hunk[] }[] = []
  for (const hunk of hunks) {
    const last = regions.at(-1)
    if (last === undefined || hunk.beforeStart > last.end) regions.push({ start: hunk.beforeStart, end: hunk.beforeEnd, hunks: [hunk] })
    else {
      last.end = Math.max(last.end, hunk.beforeEnd)
      last.hunks.push(hunk)
    }
  }
  return regions
}

function* partOf(region: Region, texts: Texts, offset: number): Passes<MergePart> {
  const now = rangeOf(region, 'now', texts)
  const before = rangeOf(region, 'before', texts)
  if (now === null) return { kind: 'lines', lines: before?.lines ?? [] }
  if (before === null || isSameText(now.lines, before.lines)) return { kind: 'lines', lines: now.lines }
  const step = { start: region.start, lines: texts.step.slice(region.start, region.end) }
  return {
    kind: 'conflict',
    before: before.lines,
    now: now.lines,
    region: { now: yield* shownAt(now, offset), step: yield* shownAt(step, offset), before: yield* shownAt(before, offset) },
  }
}

function* shownAt({ start, lines }: Range, offset: number): Passes<ConflictLines> {
  yield
  return { line: offset + start + 1, lines: shown(lines) }
}

interface Range {
  readonly start: number
  readonly lines: Lines
}

/** The lines of one side that correspond to the region. Null if this side does not differ there. */
function rangeOf({ start, end, hunks }: Region, side: Hunk['side'], texts: Texts): Range | null {
  const own = hunks.filter((hunk) => hunk.side === side)
  const first = own[0]
  const last = own.at(-1)
  if (!first || !last) return null
  const from = first.afterStart - (first.beforeStart - start)
  return { start: from, lines: texts[side].slice(from, last.afterEnd + (end - last.beforeEnd)) }
}

const isSameText = (a: Lines, b: Lines): boolean => a.length === b.length && a.every((line, index) => line === b[index])

/**
 * The merged file, in pieces that follow each other. `choices`: one for each conflict, in order. Returns null if there are too few or too
 * many choices.
 */
export function mergedPieces({ above, parts, below }: Merge, choices: readonly ConflictChoice[]): readonly Uint8Array[] | null {
  const conflicts = parts.filter(({ kind }) => kind === 'conflict').length
  if (conflicts !== choices.length) return null
  let index = 0
  const lines = parts.flatMap((part) => (part.kind === 'lines' ? part.lines : chosen(part, choices[index++] ?? 'now')))
  const middle = lines.length > 0 ? Buffer.from(lines.join('\n'), 'latin1') : null
  return [above, middle, below].filter((piece) => piece !== null).flatMap((piece, at) => (at === 0 ? piece : [LINE_FEED, piece]))
}

const LINE_FEED = Buffer.from('\n')

/** Maximum number of lines and bytes from the first to the last change. If all the lines differ, merging takes up to about 200 ms. */
const MAX_LINES = 50_000
const MAX_BYTES = 8 * 1024 * 1024
/** If more lines than this differ between two versions, the versions are compared more coarsely. */
const MAX_EDITS = 200

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/**
 * Null if the text is too long to be compared. `isFollowed`: whether other lines follow in the file. If they do, the text ends with a line
 * feed that belongs to its last line.
 */
function* linesOf(text: Buffer, isFollowed: boolean): Passes<Lines | null> {
  if (text.length > MAX_BYTES || (yield* lineCount(text)) > MAX_LINES) return null
  if (isFollowed && text.length === 0) return []
  const lines = text.toString('latin1', 0, text.length - (isFollowed ? 1 : 0)).split('\n')
  yield
  return lines
}

/** All lines are converted at once, which is much faster than one by one. */
function shown(lines: Lines): Lines {
  if (lines.length === 0) return []
  return Buffer.from(lines.join('\n'), 'latin1').toString('utf8').replace(/\r$/u, '').split(/\r?\n/u)
}

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

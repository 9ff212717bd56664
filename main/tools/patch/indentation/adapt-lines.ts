import { type Result, failed, ok } from '../../../../shared/lib/result.ts'
import type { IndentRow } from './change-region.ts'
import { type UnclearIndent, indentationsOf } from './indentation.ts'
import { type ContentPair, addedContent, contentLike, differencesOf, likeness } from '../adapt-line-content.ts'
import { indentOf } from './nesting.ts'
import { type Kept, keptOf } from '../common-subsequence.ts'
import type { HunkLine } from '../patch-model.ts'

/** A new line for which the file's whitespace is unclear. The model must copy the file's text exactly. */
export interface Unclear {
  readonly line: string
  readonly what: UnclearIndent['what'] | 'whitespace'
}

/** Maximum number of pairs of old and new lines in one run that are compared. */
const MAX_COMPARED = 40_000
/** Number of lines of the file on each side of a change that are examined to see how the file writes whitespace. */
const NEAR = 300
/** Minimum share of common tokens for a new line to count as a changed version of an old one. */
const LEAST_LIKENESS = 0.5

/**
 * Adapts the lines of a change to the file, in which the old text of the change was found loosely at `start`. Lines that are in both the
 * old and the new text are copied from the file. New lines are indented like the file. Changed lines keep the file's whitespace and
 * punctuation where the old and the new text are the same.
 */
export function asWrittenThere(lines: readonly HunkLine[], start: number, texts: readonly string[]): Result<readonly HunkLine[], Unclear> {
  const kept = withKeptLines(lines, start, texts)
  if (kept === null) return failed({ line: lines.find(({ kind }) => kind === 'add')?.text ?? '', what: 'whitespace' })
  const rows = withPartners(rowsOf(kept, start, texts))
  const indents = indentationsOf(rows, { texts, start, end: start + rows.filter(({ kind }) => kind !== 'add').length })
  if (!indents.ok) return failed({ line: rows[indents.failure.row]?.content ?? '', what: indents.failure.what })
  const around = texts.slice(Math.max(0, start - NEAR), start + lines.length + NEAR)
  const differences = differencesOf(
    rows.flatMap((row) => (row.there === null ? [] : [pairOf(row)])),
    around,
  )
  const done: HunkLine[] = []
  for (const [index, row] of rows.entries()) {
    const line = kept[index]
    if (!line) continue
    if (row.there !== null || row.content === '') {
      done.push(row.there === null ? line : { ...line, text: (row.fileIndent ?? '') + row.there })
      continue
    }
    const partner = row.partner === null ? undefined : rows[row.partner]
    const isVersion = partner !== undefined && likeness(partner.content, row.content) > 0
    const content = isVersion ? contentLike(row.content, pairOf(partner)) : addedContent(row.content, differences)
    if (content === null) return failed({ line: row.content, what: 'whitespace' })
    done.push({ ...line, text: (indents.value[index] ?? row.indent) + content })
  }
  return ok(done)
}

interface Row extends IndentRow {
  /** The line as the file has it, without indentation; null for a new line. */
  readonly there: string | null
}

const pairOf = (row: Row): ContentPair => ({ old: row.content, file: row.there ?? row.content })

function rowsOf(lines: readonly HunkLine[], start: number, texts: readonly string[]): readonly Row[] {
  let at = start
  return lines.map(({ kind, text }) => {
    const real = kind === 'add' ? null : (texts[at++] ?? '')
    const indent = indentOf(text)
    const fileIndent = real === null ? null : indentOf(real)
    return {
      kind,
      indent,
      content: text.slice(indent.length),
      partner: null,
      fileIndent,
      there: real?.slice(fileIndent?.length ?? 0) ?? null,
    }
  })
}

/** Turns lines that are both removed and added into context. Null if the result depends on which of several equal lines is kept. */
function withKeptLines(lines: readonly HunkLine[], start: number, texts: readonly string[]): readonly HunkLine[] | null {
  const all: HunkLine[] = []
  let at = start
  for (let from = 0; from < lines.length;) {
    const line = lines[from]
    if (line?.kind === 'context') {
      all.push(line)
      at++
      from++
      continue
    }
    const next = lines.findIndex(({ kind }, index) => index >= from && kind === 'context')
    const run = lines.slice(from, next < 0 ? lines.length : next)
    const removed = run.filter(({ kind }) => kind === 'remove')
    const added = run.filter(({ kind }) => kind === 'add')
    const there = texts.slice(at, at + removed.length)
    const [early, late] = comparisons(removed, added)
    if (keptIn(early, there) !== keptIn(late, there)) return null
    all.push(...early)
    at += removed.length
    from += run.length
  }
  return all
}

/**
 * Compares the removed lines of a run with the added lines. If they can be matched in several ways, returns the two results that differ
 * most.
 */
function comparisons(removed: readonly HunkLine[], added: readonly HunkLine[]): readonly [readonly HunkLine[], readonly HunkLine[]] {
  const kept = keptOf(
    removed.map(({ text }) => text),
    added.map(({ text }) => text),
  )
  if (kept === null)
    return [
      [...removed, ...added],
      [...removed, ...added],
    ]
  const merged = (pairs: Kept): readonly HunkLine[] => {
    const lines: HunkLine[] = []
    let from = 0
    for (const [index, line] of added.entries()) {
      const old = pairs[index]
      if (old === undefined) {
        lines.push(line)
        continue
      }
      lines.push(...removed.slice(from, old), { ...line, kind: 'context' })
      from = old + 1
    }
    return [...lines, ...removed.slice(from)]
  }
  return [merged(kept.early), merged(kept.late)]
}

/** The text after the change according to a comparison. Kept lines are written as in the file, and each line is marked as new or kept. */
function keptIn(lines: readonly HunkLine[], there: readonly string[]): string {
  let at = 0
  return lines
    .flatMap(({ kind, text }) => {
      const real = kind === 'add' ? text : there[at++]
      return kind === 'remove' ? [] : [`${kind === 'add' ? '+' : ' '}${real}`]
    })
    .join('\n')
}

/**
 * Pairs each new line with the old line that it is a version of: an old line with the same content, or else the most similar unpaired
 * line of its run.
 */
function withPartners(rows: readonly Row[]): readonly Row[] {
  const partners = new Map<number, number>()
  for (const [index, row] of rows.entries()) {
    const moved = movedFrom(row, rows)
    if (moved !== null) partners.set(index, moved)
  }
  const taken = new Set(partners.values())
  for (const run of runsOf(rows)) {
    const left = (kind: Row['kind']): number[] =>
      run.filter((index) => rows[index]?.kind === kind && rows[index]?.content !== '' && !taken.has(index) && !partners.has(index))
    for (const [fresh, old] of versions(left('remove'), left('add'), rows)) partners.set(fresh, old)
  }
  return rows.map((row, index) => ({ ...row, partner: partners.get(index) ?? null }))
}

/**
 * Pairs new lines, in order, with the old lines that they are versions of. If there are as many new lines as old ones, a new line that is
 * similar to no old line is paired by its position.
 */
function versions(removed: readonly number[], added: readonly number[], rows: readonly Row[]): readonly (readonly [number, number])[] {
  if (removed.length * added.length > MAX_COMPARED) return []
  const pairs: (readonly [number, number])[] = []
  let from = 0
  for (const [place, index] of added.entries()) {
    const rest = removed.slice(from)
    const scored = rest.map((old) => likeness(rows[old]?.content ?? '', rows[index]?.content ?? ''))
    const best = scored.indexOf(Math.max(...scored))
    const isVersion = best >= 0 && (scored[best] ?? 0) > LEAST_LIKENESS
    const chosen = isVersion ? best : removed.length === added.length ? place - from : -1
    const partner = rest[chosen]
    if (partner === undefined) continue
    pairs.push([index, partner])
    from += chosen + 1
  }
  return pairs
}

/** The removed line with the same content. If there are several, one is returned only if they are all equal in the file. */
function movedFrom(row: Row, rows: readonly Row[]): number | null {
  if (row.kind !== 'add' || row.content === '') return null
  const same = rows.flatMap((other, index) => (other.kind === 'remove' && other.content === row.content ? [index] : []))
  return new Set(same.map((index) => rows[index]?.there)).size === 1 ? (same[0] ?? null) : null
}

/** Groups of indexes of adjacent removed or added lines. */
function runsOf(rows: readonly Row[]): readonly (readonly number[])[] {
  const runs: number[][] = []
  for (const [index, { kind }] of rows.entries()) {
    if (kind === 'context') continue
    const last = runs.at(-1)
    if (last?.at(-1) === index - 1) last.push(index)
    else runs.push([index])
  }
  return runs
}

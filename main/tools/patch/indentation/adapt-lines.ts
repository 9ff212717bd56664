import { type Result, failed, ok } from '../../../../shared/lib/result.ts'
import type { IndentRow } from '../change-region.ts'
import { type UnclearIndent, indentationsOf } from './indentation.ts'
import { type ContentPair, addedContent, contentLike, differencesOf, likeness } from '../line-content.ts'
import { indentOf } from './nesting.ts'
import { type Kept, keptOf } from '../common-parts.ts'
import type { HunkLine } from '../patch-model.ts'

/** A new line that cannot be put into the file's own whitespace: the model has to send the text as the file has it. */
export interface Unclear {
  readonly line: string
  readonly what: UnclearIndent['what'] | 'whitespace'
}

/** Pairs of old and new lines of one run that are compared. */
const MOST_COMPARED = 40_000
/** Lines of the file on each side of a change that show how it writes whitespace. */
const NEAR = 300
/** Share of tokens from which a new line counts as a changed version of an old one. */
const LEAST_LIKENESS = 0.5

/**
 * Lines of a change whose old text was found loosely at `start`, as they stand in the file and shall stand there: every line that old and new text share stays as the file has it, new
 * lines are indented as the file is, and changed ones keep the file's whitespace and punctuation where old and new text are alike.
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
  /** Without indentation, as the file has it; null: a new line. */
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
      ...{ kind, indent, content: text.slice(indent.length), partner: null },
      ...{ fileIndent, there: real?.slice(fileIndent?.length ?? 0) ?? null },
    }
  })
}

/** Lines that are taken out and put in again are context. Null: it matters which of several equal ones that is, and cannot be told. */
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

/** What stays of a run, what goes and what comes; of several ways to see it the two that differ most. */
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

/** The result of a comparison, with kept lines as the file has them. */
function keptIn(lines: readonly HunkLine[], there: readonly string[]): string {
  let at = 0
  return lines
    .flatMap(({ kind, text }) => {
      const real = kind === 'add' ? text : there[at++]
      return kind === 'remove' ? [] : [`${kind === 'add' ? '+' : ' '}${real}`]
    })
    .join('\n')
}

/** Each new line with the old one that it is a version of: one of the same content, else the most alike of its run that is left, in order. */
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

/** As many new lines as old ones are versions of them in order, whatever they say. */
function versions(removed: readonly number[], added: readonly number[], rows: readonly Row[]): readonly (readonly [number, number])[] {
  if (removed.length * added.length > MOST_COMPARED) return []
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

/** The one line of the same content that is taken out, wherever it stood; several only where the file has them all alike. */
function movedFrom(row: Row, rows: readonly Row[]): number | null {
  if (row.kind !== 'add' || row.content === '') return null
  const same = rows.flatMap((other, index) => (other.kind === 'remove' && other.content === row.content ? [index] : []))
  return new Set(same.map((index) => rows[index]?.there)).size === 1 ? (same[0] ?? null) : null
}

/** Indexes of neighbouring lines that are taken out or put in. */
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

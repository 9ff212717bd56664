import { type FileDiffMetadata, processFile } from '@pierre/diffs'
import { diffLines, type LineChange } from './line-diff.ts'
import { slideChanges } from './slide-changes.ts'

/** Unchanged lines shown around a change. */
const CONTEXT = 3

/** A line of more characters is not coloured, nor are those around it: it would be laid out twice, a second each time. */
const LONGEST_COLOURED = 20_000

export interface DiffRequest {
  readonly path: string
  /** Null: there is no such file on that side. */
  readonly before: string | null
  readonly after: string | null
  /** Language of the highlighter; `text` for none. */
  readonly language: string
}

export interface LinePlace {
  readonly side: 'deletions' | 'additions'
  /** Its number on that side, from 1. */
  readonly line: number
}

/** Where a run of changes stands, for those who go from one to the next: its first and its last changed line. */
export interface HunkPlace {
  readonly first: LinePlace
  readonly last: LinePlace
}

export interface ComputedDiff {
  readonly fileDiff: FileDiffMetadata
  readonly added: number
  readonly removed: number
  readonly hunks: readonly HunkPlace[]
}

/** The exact difference of two texts as the diff component takes it. They must differ. */
export function computeDiff({ path, before, after, language: wanted }: DiffRequest): ComputedDiff {
  const [old, fresh] = [splitLines(before ?? ''), splitLines(after ?? '')]
  const language = [...old, ...fresh].some((line) => line.length > LONGEST_COLOURED) ? 'text' : wanted
  const changes = slideChanges(diffLines(old, fresh), old, fresh)
  const groups = grouped(changes)
  const patch = groups.map((group) => hunkText(group, old, fresh)).join('')
  const [oldFile, newFile] = [
    { name: 'file', contents: before ?? '' },
    { name: 'file', contents: after ?? '' },
  ]
  const fileDiff = processFile(`--- file\n+++ file\n${patch}`, { oldFile, newFile, isGitDiff: false, throwOnError: true })
  if (!fileDiff) throw new Error(`No difference in ${path}.`)
  return {
    fileDiff: {
      ...fileDiff,
      name: path,
      type: before === null ? 'new' : after === null ? 'deleted' : 'change',
      lang: language,
      cacheKey: `${language}:${fingerprint(before)}:${fingerprint(after)}`,
    },
    added: changes.reduce((sum, { afterStart, afterEnd }) => sum + afterEnd - afterStart, 0),
    removed: changes.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeEnd - beforeStart, 0),
    hunks: groups.map((group) => ({ first: firstLine(group[0]), last: lastLine(group.at(-1) ?? group[0]) })),
  }
}

/** With their line feeds, so that a last line without one differs from the same line with one. */
function splitLines(text: string): readonly string[] {
  const lines = text.split(/(?<=\n)/)
  return lines.length === 1 && lines[0] === '' ? [] : lines
}

type Group = readonly [LineChange, ...LineChange[]]

/** Changes whose context touches are one hunk. */
function grouped(changes: readonly LineChange[]): readonly Group[] {
  const groups: [LineChange, ...LineChange[]][] = []
  for (const change of changes) {
    const last = groups.at(-1)
    if (last && change.beforeStart - (last.at(-1)?.beforeEnd ?? 0) <= 2 * CONTEXT) last.push(change)
    else groups.push([change])
  }
  return groups
}

function hunkText(group: Group, old: readonly string[], fresh: readonly string[]): string {
  const [first] = group
  const last = group.at(-1) ?? first
  const above = Math.min(CONTEXT, first.beforeStart)
  const below = Math.min(CONTEXT, old.length - last.beforeEnd)
  const [from, to] = [first.beforeStart - above, last.beforeEnd + below]
  const [freshFrom, freshTo] = [first.afterStart - above, last.afterEnd + below]
  const lines: string[] = []
  let at = from
  for (const change of group) {
    lines.push(...prefixed(' ', old, at, change.beforeStart), ...prefixed('-', old, change.beforeStart, change.beforeEnd))
    lines.push(...prefixed('+', fresh, change.afterStart, change.afterEnd))
    at = change.beforeEnd
  }
  lines.push(...prefixed(' ', old, at, to))
  return `@@ -${rangeOf(from, to)} +${rangeOf(freshFrom, freshTo)} @@\n${lines.join('')}`
}

/** As patches number: an empty range names the line above it. */
function rangeOf(from: number, to: number): string {
  return `${to > from ? from + 1 : from},${to - from}`
}

function prefixed(sign: ' ' | '-' | '+', lines: readonly string[], from: number, to: number): readonly string[] {
  return lines.slice(from, to).map((line) => (line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`))
}

/** Stacked, what goes stands above what comes. */
function firstLine({ beforeStart, beforeEnd, afterStart }: LineChange): LinePlace {
  return beforeEnd > beforeStart ? { side: 'deletions', line: beforeStart + 1 } : { side: 'additions', line: afterStart + 1 }
}

function lastLine({ beforeEnd, afterStart, afterEnd }: LineChange): LinePlace {
  return afterEnd > afterStart ? { side: 'additions', line: afterEnd } : { side: 'deletions', line: beforeEnd }
}

/** Tells one text from another among those on screen (FNV-1a, two runs of 32 bits, and the length); no safeguard of anything. */
function fingerprint(text: string | null): string {
  if (text === null) return '-'
  let [one, two] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two + code, 0x85ebca6b) ^ (two >>> 15)
  }
  return `${text.length.toString(36)}.${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`
}

import { Buffer } from 'node:buffer'
import type { StagedHunk } from '../../../shared/api/changes/git.ts'

type Range = readonly [number, number]

/**
 * Replaces line ranges of one version of a file with those of another version. Works on bytes, so lines keep their encoding and line
 * endings. Null if a range is outside its version, or if ranges overlap.
 */
function replaceLines(target: Uint8Array, source: Uint8Array, ranges: readonly { readonly target: Range; readonly source: Range }[]) {
  const old = linesOf(target)
  const fresh = linesOf(source)
  const parts: (readonly string[])[] = []
  let at = 0
  for (const range of ranges.toSorted((a, b) => a.target[0] - b.target[0] || a.target[1] - b.target[1])) {
    const [from, to] = range.target
    const [start, end] = range.source
    if (from < at || to < from || to > old.length || end < start || end > fresh.length) return null
    parts.push(old.slice(at, from), fresh.slice(start, end))
    at = to
  }
  parts.push(old.slice(at))
  const lines = parts.flat()
  // If a version's last line has no line feed and another line now follows it, a line feed is added.
  const whole = lines.map((line, index) => (line.endsWith('\n') || index === lines.length - 1 ? line : `${line}\n`))
  return Buffer.from(whole.join(''), 'latin1')
}

/** The content of the index after these hunks of the folder's version are staged. */
export const stagedLines = (index: Uint8Array, folder: Uint8Array, hunks: readonly StagedHunk[]): Uint8Array | null =>
  replaceLines(
    index,
    folder,
    hunks.map(({ before, after }) => ({ target: before, source: after })),
  )

/** The content of the index after these hunks are reset to the version of the last commit. */
export const unstagedLines = (index: Uint8Array, head: Uint8Array, hunks: readonly StagedHunk[]): Uint8Array | null =>
  replaceLines(
    index,
    head,
    hunks.map(({ before, after }) => ({ target: after, source: before })),
  )

/** The lines with their line feeds, in a string with one character per byte. */
function linesOf(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text === '' ? [] : text.split(/(?<=\n)/u)
}

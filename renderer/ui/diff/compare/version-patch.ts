import { diffLines } from '../../../../shared/lib/lines/line-diff.ts'
import { type Hunk, splitLines, unifiedHunk } from '../../../../shared/lib/lines/unified-hunks.ts'

/** Maximum number of edits that are compared on the main thread, which takes about 20 ms. */
const MAX_EDITS = 300

/** The difference of a hunk's old lines and the user's version of them. `patch` is in the unified format, and empty if nothing differs. */
export interface VersionDiff {
  readonly patch: string
  readonly added: number
  readonly removed: number
}

/** Compares the old lines of a hunk, which is in the unified format, with `text`, which replaces its proposed lines. */
export function versionDiff(patch: string, text: string): VersionDiff {
  const { from, to, above, old, below } = partsOf(patch)
  const before = [...above, ...old, ...below]
  const after = [...above, ...splitLines(text), ...below]
  const changes = diffLines(before, after, MAX_EDITS)
  const [first, ...others] = changes
  if (first === undefined) return { patch: '', added: 0, removed: 0 }
  const hunk: Hunk = [first, ...others]
  const [head = '', ...lines] = unifiedHunk(hunk, before, after)
  return {
    patch: [movedHead(head, from, to), ...lines, ''].join('\n'),
    added: changes.reduce((sum, { afterStart, afterEnd }) => sum + afterEnd - afterStart, 0),
    removed: changes.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeEnd - beforeStart, 0),
  }
}

/** The lines of a hunk with their line feeds. `from` and `to` count the lines of both files that are above the hunk. */
function partsOf(patch: string) {
  const [head = '', ...lines] = patch.replace(/\n$/u, '').split('\n')
  const [, from = '1', count = '1', to = '1', fresh = '1'] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/u.exec(head) ?? []
  const above: string[] = []
  const old: string[] = []
  const below: string[] = []
  let isChanged = false
  for (const [index, line] of lines.entries()) {
    const text = line.slice(1) + (lines[index + 1]?.startsWith('\\') ? '' : '\n')
    if (line.startsWith('-')) old.push(text)
    else if (line.startsWith(' ')) (isChanged ? below : above).push(text)
    isChanged ||= !line.startsWith(' ')
  }
  return { from: linesAbove(from, count), to: linesAbove(to, fresh), above, old, below }
}

/** An empty range has the number of the line above it. */
const linesAbove = (start: string, count: string): number => Number(start) - (count === '0' ? 0 : 1)

function movedHead(head: string, from: number, to: number): string {
  return head.replace(
    /-(\d+),(\d+) \+(\d+),(\d+)/u,
    (_, start: string, count: string, into: string, fresh: string) => `-${Number(start) + from},${count} +${Number(into) + to},${fresh}`,
  )
}

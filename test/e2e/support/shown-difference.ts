import { execFile } from 'node:child_process'
import type { Locator } from 'playwright/test'

/** An added or removed line. An added line has its number in the new file, a removed line has its number in the old file. */
export interface ChangedLine {
  readonly sign: '+' | '-'
  readonly line: number
  readonly text: string
}

/** Returns the changed lines of a diff on the page, in the order in which they are shown. */
export async function shownDifference(difference: Locator): Promise<readonly ChangedLine[]> {
  return difference.locator('[data-line][data-line-type^=change]').evaluateAll((rows) =>
    rows.map((row) => ({
      sign: row.getAttribute('data-line-type') === 'change-addition' ? ('+' as const) : ('-' as const),
      line: Number(row.getAttribute('data-line')),
      text: row.textContent.replace(/\n$/, ''),
    })),
  )
}

/** Returns git's diff of the same two files. */
export async function gitDifference(before: string, after: string): Promise<readonly ChangedLine[]> {
  const args = ['-c', 'core.autocrlf=false', 'diff', '--no-index', '--no-color', '--no-ext-diff', '--unified=0', before, after]
  // The exit code is ignored, because git exits with code 1 if the files differ.
  const words = await new Promise<string>((resolve) => execFile('git', args, (_, stdout) => resolve(stdout)))
  const changed: ChangedLine[] = []
  let old = 0
  let fresh = 0
  let isInHunk = false
  for (const line of words.split('\n')) {
    const hunk = /^@@ -(\d+)\S* \+(\d+)\S* @@/.exec(line)
    if (hunk) {
      old = Number(hunk[1])
      fresh = Number(hunk[2])
      isInHunk = true
    } else if (isInHunk && line.startsWith('-')) changed.push({ sign: '-', line: old++, text: line.slice(1) })
    else if (isInHunk && line.startsWith('+')) changed.push({ sign: '+', line: fresh++, text: line.slice(1) })
    else if (line.startsWith('diff ')) isInHunk = false
  }
  return changed
}

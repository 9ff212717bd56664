import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { shownPath } from '../outcome.ts'
import type { Anchor, Hunk, HunkLine, PatchLine } from './patch-model.ts'

const END_OF_FILE = /^\*\*\* End of File\s*$/u
const NO_NEWLINE = /^\\ No newline at end of file\s*$/u
/** The head of a hunk in a unified diff: numbers, which are not needed, and perhaps the line that begins the function. */
const UNIFIED_HEAD = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@(?<heading>.*)$/u

interface OpenHunk {
  readonly anchors: Anchor[]
  readonly lines: HunkLine[]
  finalNewline: boolean | null
  readonly line: number
}

/**
 * The hunks of one section: `@@` lines, then lines that begin with a blank (context), `-` or `+`. The first hunk needs no `@@`. A failure
 * is a sentence that names the line of the patch.
 */
export function parseHunks(lines: readonly PatchLine[]): Result<readonly Hunk[], string> {
  const hunks: Hunk[] = []
  let open: OpenHunk | null = null
  const close = (endOfFile: boolean): string | null => {
    if (open === null) return null
    const { anchors, lines: own, finalNewline, line } = open
    open = null
    if (own.length === 0) return `line ${line}: the hunk that begins here is empty.`
    hunks.push({ anchors, lines: own, endOfFile, finalNewline, line })
    return null
  }
  for (const { text, number } of lines) {
    if (END_OF_FILE.test(text)) {
      const flaw = open === null ? `line ${number}: *** End of File stands without a hunk before it.` : close(true)
      if (flaw !== null) return failed(flaw)
    } else if (text.startsWith('@@')) {
      if (open !== null && open.lines.length > 0) close(false)
      open ??= { anchors: [], lines: [], finalNewline: null, line: number }
      const anchor = anchorOf(text)
      if (anchor) open.anchors.push(anchor)
    } else {
      if (open === null && hunks.length > 0 && text.trim() === '') continue
      if (open === null && hunks.length > 0) return failed(`line ${number}: a further hunk must begin with @@.`)
      open ??= { anchors: [], lines: [], finalNewline: null, line: number }
      const flaw = addLine(open, text)
      if (flaw !== null) return failed(`line ${number}: ${flaw}`)
    }
  }
  const flaw = close(false)
  return flaw === null ? ok(hunks) : failed(flaw)
}

function anchorOf(text: string): Anchor | null {
  const heading = UNIFIED_HEAD.exec(text)?.groups?.['heading']
  if (heading !== undefined) return heading.trim() === '' ? null : { text: heading.slice(1), isHint: true }
  const plain = text
    .slice(2)
    .replace(/^ /u, '')
    .replace(/\s@@\s*$/u, '')
  return plain.trim() === '' ? null : { text: plain, isHint: false }
}

function addLine(hunk: OpenHunk, text: string): string | null {
  if (NO_NEWLINE.test(text)) {
    const above = hunk.lines.at(-1)
    if (!above) return 'nothing stands before "No newline at end of file".'
    hunk.finalNewline = above.kind === 'remove'
    return null
  }
  const [sign, rest] = [text[0], text.slice(1)]
  if (sign === undefined || sign === ' ') hunk.lines.push({ kind: 'context', text: rest, isBare: sign === undefined })
  else if (sign === '+') hunk.lines.push({ kind: 'add', text: rest, isBare: false })
  else if (sign === '-') hunk.lines.push({ kind: 'remove', text: rest, isBare: false })
  else return `"${shownPath(text.slice(0, 60).toWellFormed())}" must begin with a blank (context), - or +.`
  return null
}

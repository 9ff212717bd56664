import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { shownPath } from '../define/tool-path.ts'
import type { Anchor, Hunk, HunkLine, PatchLine } from './patch-model.ts'

const END_OF_FILE = /^\*\*\* End of File\s*$/u
const NO_NEWLINE = /^\\ No newline at end of file\s*$/u
/** The header of a hunk in a unified diff: line numbers, which are not needed, and sometimes the line that begins the function. */
const UNIFIED_HEAD = /^@@ -(?<from>\d+)(?:,\d+)? \+\d+(?:,\d+)? @@(?<heading>.*)$/u

interface OpenHunk {
  readonly anchors: readonly Anchor[]
  readonly lines: HunkLine[]
  finalNewline: boolean | null
  readonly namedLine: number | null
  /** Whether the hunk began with `@@`. */
  readonly isHeaded: boolean
  readonly line: number
}

/**
 * Parses the hunks of one section: `@@` lines, followed by lines that begin with a space (context), `-` or `+`. The first hunk needs no
 * `@@`. A hunk that consists only of empty lines is a gap. The failure is a sentence with the line number in the patch.
 */
export function parseHunks(lines: readonly PatchLine[]): Result<readonly Hunk[], string> {
  const hunks: Hunk[] = []
  let open: OpenHunk | null = null
  const close = (endOfFile: boolean): string | null => {
    if (open === null) return null
    const { isHeaded, lines: own, ...hunk } = open
    open = null
    if (hasLines({ lines: own })) hunks.push({ ...hunk, lines: own, endOfFile })
    else if (isHeaded || endOfFile) return `line ${hunk.line}: the hunk that begins here is empty.`
    return null
  }
  for (const { text, number } of withoutNames(lines)) {
    if (END_OF_FILE.test(text)) {
      const flaw = open === null ? `line ${number}: *** End of File has no hunk before it.` : close(true)
      if (flaw !== null) return failed(flaw)
    } else if (text.startsWith('@@')) {
      if (hasLines(open)) close(false)
      open = withHead(open, text, number)
    } else {
      if (open === null && hunks.length > 0 && text.trim() === '') continue
      if (open === null && hunks.length > 0) return failed(`line ${number}: a further hunk must begin with @@.`)
      open ??= opened(number, false)
      const flaw = addLine(open, text)
      if (flaw !== null) return failed(`line ${number}: ${flaw}`)
    }
  }
  const flaw = close(false)
  return flaw === null ? ok(hunks) : failed(flaw)
}

function hasLines(hunk: Pick<OpenHunk, 'lines'> | null): boolean {
  return hunk?.lines.some((line) => !line.isBare) === true
}

/** Adds another `@@` line to a hunk that has no lines yet. */
function withHead(open: OpenHunk | null, text: string, number: number): OpenHunk {
  const { anchor, namedLine } = headOf(text)
  const hunk = open?.isHeaded === true ? open : opened(number, true)
  return { ...hunk, lines: [], anchors: anchor ? [...hunk.anchors, anchor] : hunk.anchors, namedLine: hunk.namedLine ?? namedLine }
}

function opened(line: number, isHeaded: boolean): OpenHunk {
  return { anchors: [], lines: [], finalNewline: null, namedLine: null, isHeaded, line }
}

/** Removes a unified diff's two lines with file names above the first hunk. The section already says which file it is. */
function withoutNames(lines: readonly PatchLine[]): readonly PatchLine[] {
  const [old, fresh, head] = lines
  const isNamed = old?.text.startsWith('--- ') === true && fresh?.text.startsWith('+++ ') === true && UNIFIED_HEAD.test(head?.text ?? '')
  return isNamed ? lines.slice(2) : lines
}

function headOf(text: string): { readonly anchor: Anchor | null; readonly namedLine: number | null } {
  const { heading, from } = UNIFIED_HEAD.exec(text)?.groups ?? {}
  if (heading !== undefined) {
    return { anchor: heading.trim() === '' ? null : { text: heading.slice(1), isHint: true }, namedLine: Number(from) }
  }
  const plain = text
    .slice(2)
    .replace(/^ /u, '')
    .replace(/\s@@\s*$/u, '')
  return { anchor: plain.trim() === '' ? null : { text: plain, isHint: false }, namedLine: null }
}

function addLine(hunk: OpenHunk, text: string): string | null {
  if (NO_NEWLINE.test(text)) {
    const above = hunk.lines.at(-1)
    if (!above) return 'there is no line before "No newline at end of file".'
    hunk.finalNewline = above.kind === 'remove'
    return null
  }
  const sign = text[0]
  const rest = text.slice(1)
  if (sign === undefined || sign === ' ') hunk.lines.push({ kind: 'context', text: rest, isBare: sign === undefined })
  else if (sign === '+') hunk.lines.push({ kind: 'add', text: rest, isBare: false })
  else if (sign === '-') hunk.lines.push({ kind: 'remove', text: rest, isBare: false })
  else return `"${shownPath(text.slice(0, 60).toWellFormed())}" must begin with a space (context), - or +.`
  return null
}

import type { GrepMatch } from '../../../agent/ports/execution-environment.ts'
import { shownLine } from '../match-lines.ts'

/** Maximum size of a record in bytes. A longer record contains a line that is too long to be useful, so it is skipped. */
const MAX_RECORD = 64 * 1024 * 1024

/** Text in ripgrep's `--json` output. It is base64 if it is not UTF-8. */
type RipgrepText = { readonly text: string } | { readonly bytes: string }

interface RipgrepLines {
  readonly path: RipgrepText
  readonly lines: RipgrepText
  readonly line_number: number
  readonly submatches: readonly { readonly start: number }[]
}

type RipgrepRecord =
  | { readonly type: 'begin' | 'summary' }
  | { readonly type: 'end'; readonly data: { readonly path: RipgrepText; readonly binary_offset: number | null } }
  | { readonly type: 'match' | 'context'; readonly data: RipgrepLines }

export interface RipgrepReader {
  /** Reads a piece of output. Returns false if the limit is exceeded and no more is wanted. */
  read(bytes: Buffer): boolean
  matches(): readonly GrepMatch[]
  /** Whether the search ended normally. */
  isComplete(): boolean
}

/**
 * Reads ripgrep's `--json` output. Drops files that turn out to be binary or for which `isIgnored` is true. At the limit, also drops the
 * context before lines that are no longer listed.
 */
export function createRipgrepReader(maxResults: number, contextLines: number, isIgnored: (path: string) => boolean): RipgrepReader {
  const matches: GrepMatch[] = []
  let ofFile: GrepMatch[] = []
  let count = 0
  let countOfFile = 0
  let isComplete = false
  let isFull = false

  const takeFile = (isWanted: boolean): void => {
    if (isWanted) for (const match of ofFile) matches.push(match)
    if (!isWanted) count -= countOfFile
    ofFile = []
    countOfFile = 0
  }
  const takeRecord = (record: RipgrepRecord): void => {
    switch (record.type) {
      case 'begin':
        return
      case 'summary':
        isComplete = true
        return
      case 'end':
        return takeFile(record.data.binary_offset === null)
      case 'match':
      case 'context': {
        const path = pathFromRipgrep(decoded(record.data.path))
        if (isFull || isIgnored(path)) return
        const isContext = record.type === 'context'
        for (const line of linesOf(record.data)) {
          if (!isContext && count === maxResults) isFull = true
          if (isFull) {
            ofFile = withoutLeadIn(ofFile, contextLines)
            return takeFile(true)
          }
          ofFile.push({ path, ...line, isContext })
          count += isContext ? 0 : 1
          countOfFile += isContext ? 0 : 1
        }
      }
    }
  }
  const lines = createLineSplitter((line) => takeRecord(parse(line)))
  return {
    read(bytes) {
      lines(bytes)
      return !isFull
    },
    matches: () => matches,
    isComplete: () => isComplete,
  }
}

/** The lines of one file, without context that is more than `after` lines after the last match. */
function withoutLeadIn(lines: readonly GrepMatch[], after: number): GrepMatch[] {
  const last = lines.findLast(({ isContext }) => !isContext)
  return last ? lines.filter(({ line }) => line <= last.line + after) : []
}

/** Converts a path as ripgrep prints it when searching in `./` to a path relative to that folder, with `/`. */
export function pathFromRipgrep(named: string): string {
  const path = named.startsWith('./') || named.startsWith('.\\') ? named.slice(2) : named
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}

function parse(line: string): RipgrepRecord {
  // The format is ripgrep's own, and only the program started here writes to this output.
  return JSON.parse(line) as RipgrepRecord
}

function decoded(text: RipgrepText): string {
  return 'text' in text ? text.text : Buffer.from(text.bytes, 'base64').toString('utf8')
}

/** A multi-line match is one record, but each of its lines counts as a match. */
function linesOf(data: RipgrepLines): { readonly line: number; readonly text: string }[] {
  const whole = decoded(data.lines)
  const lines = whole.endsWith('\n') ? whole.slice(0, -1).split('\n') : whole.split('\n')
  return lines.map((text, index) => ({
    line: data.line_number + index,
    text: shownLine(text.replace(/\r$/, ''), shownStart(text, data.submatches[0]?.start ?? 0)),
  }))
}

/**
 * The position in a line's text where its first match begins, converted from ripgrep's byte offset. Returns 0 for lines that are not
 * shortened, because they do not need the position.
 */
export function shownStart(text: string, start: number): number {
  return start === 0 || text.length < 2000 ? 0 : Buffer.from(text).subarray(0, start).toString().length
}

/** Calls back with each complete line. Bytes are joined only if a line spans pieces. */
function createLineSplitter(onLine: (line: string) => void): (bytes: Buffer) => void {
  let held: Buffer[] = []
  let length = 0
  return (bytes) => {
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const piece = bytes.subarray(from, end)
      if (length + piece.length <= MAX_RECORD) onLine(held.length === 0 ? piece.toString() : Buffer.concat([...held, piece]).toString())
      held = []
      length = 0
      from = end + 1
    }
    length += bytes.length - from
    if (length <= MAX_RECORD) held.push(bytes.subarray(from))
    else held = []
  }
}

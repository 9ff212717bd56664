import type { GrepMatch } from '../../../agent/ports/execution-environment.ts'
import { pathFromRipgrep, shownStart } from './ripgrep-json-output.ts'
import { shownLine } from '../match-lines.ts'

/**
 * Arguments that make ripgrep's plain lines unambiguous: `path NUL line NUL column NUL text`. If a match touches the end of the line,
 * ripgrep leaves out the column. The missing NUL shows this, because no text file contains a NUL.
 */
export const PLAIN_LINES = [
  '--null',
  '--with-filename',
  '--no-heading',
  '--line-number',
  '--column',
  '--color',
  'never',
  '--field-match-separator',
  String.raw`\x00`,
]

/** Maximum number of bytes without a line end. If a line is longer, ripgrep's JSON records are used instead. */
const MAX_HELD = 64 * 1024 * 1024
/** At least this many bytes of output are collected before they are parsed. */
const BATCH = 64 * 1024

/** ripgrep's message below the lines of a file that turns out to be binary. */
const BINARY = /^: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)\n/u

export interface RipgrepLineReader {
  /** Reads a piece of output. Returns false if no more is wanted. */
  read(bytes: Buffer): boolean
  /**
   * Call this at the end of the output. `isUnclear`: lines cannot be distinguished reliably, so the search must be repeated with JSON
   * records.
   */
  end(): { readonly matches: readonly GrepMatch[]; readonly isFull: boolean; readonly isUnclear: boolean }
}

/**
 * Converts ripgrep's plain output without context to the same matches as its records, at half the cost. Files that turn out to be binary
 * or for which `isIgnored` is true are dropped.
 */
export function createRipgrepLineReader(maxResults: number, isIgnored: (path: string) => boolean): RipgrepLineReader {
  const matches: GrepMatch[] = []
  let held: Buffer[] = []
  let heldBytes = 0
  let carried = 0
  let rest = ''
  let file = { raw: '', path: '', isWanted: false, first: 0 }
  let isFull = false
  let isUnclear = false

  const enter = (raw: string): void => {
    const path = pathFromRipgrep(raw)
    file = { raw, path, isWanted: !isIgnored(path), first: matches.length }
  }
  /** Removes the notice about the previous file. */
  const afterNotice = (text: string): string => {
    const notice = text.startsWith(file.raw) ? BINARY.exec(text.slice(file.raw.length)) : null
    if (!notice || file.raw === '') return text
    matches.length = file.first
    return text.slice(file.raw.length + notice[0].length)
  }
  const takeLine = (found: string): void => {
    const afterLine = found.indexOf('\0')
    const afterColumn = found.indexOf('\0', afterLine + 1)
    const text = found.slice(Math.max(afterLine, afterColumn) + 1, found.endsWith('\r') ? -1 : undefined)
    const start = afterColumn < 0 ? 0 : shownStart(text, Number(found.slice(afterLine + 1, afterColumn)) - 1)
    matches.push({ path: file.path, line: Number(found.slice(0, afterLine)), text: shownLine(text, start), isContext: false })
  }
  const takeText = (text: string): string => {
    let at = 0
    for (let zero = text.indexOf('\0'); zero >= 0; zero = text.indexOf('\0', at)) {
      const end = text.indexOf('\n', zero)
      if (end < 0) break
      const raw = text.slice(at, zero)
      if (raw !== file.raw) {
        const own = afterNotice(raw)
        // The name contains a line feed, or there is an unknown message, so the start of the name is uncertain.
        isUnclear ||= own.includes('\n')
        if (own !== file.raw) enter(own)
      }
      if (file.isWanted && matches.length === maxResults) isFull = true
      // Either the line ends with two carriage returns, or the file ends with one, to which ripgrep adds its own line break.
      isUnclear ||= text.endsWith('\r\r', end) && file.isWanted
      if (isFull || isUnclear) return ''
      if (file.isWanted) takeLine(text.slice(zero + 1, end))
      at = end + 1
    }
    return text.slice(at)
  }
  const takeHeld = (): void => {
    const all = Buffer.concat(held)
    const end = all.lastIndexOf(10) + 1
    if (end > 0) rest = takeText(rest + all.subarray(0, end).toString())
    held = [all.subarray(end)]
    heldBytes = carried = all.length - end
    isUnclear ||= heldBytes + rest.length > MAX_HELD
  }
  return {
    read(bytes) {
      held.push(bytes)
      heldBytes += bytes.length
      // Waits until there are more new bytes than leftover bytes, so that an endless line is not copied again for each piece.
      if (heldBytes - carried > Math.max(BATCH, carried)) takeHeld()
      return !isFull && !isUnclear
    },
    end() {
      if (!isFull && !isUnclear) takeHeld()
      rest = afterNotice(rest)
      isUnclear ||= !isFull && (rest !== '' || heldBytes > 0)
      return { matches, isFull, isUnclear }
    },
  }
}

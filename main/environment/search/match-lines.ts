import { encodingByMark } from '../../../shared/lib/decode-utf8.ts'
import { splitsPair } from '../output/head-tail.ts'

/** Maximum number of characters of a matching line that are shown, because minified files have lines of megabytes. */
export const MAX_LENGTH = 2000

/** Number of characters shown before the first match of a shortened line. */
const LEAD = 200

export interface MatchOptions {
  readonly contextLines: number
  readonly maxMatches: number
}

export interface LinesFound {
  readonly lines: readonly { readonly line: number; readonly text: string; readonly isContext: boolean }[]
  /** Number of matching lines among `lines`. */
  readonly count: number
  /** Whether there are more matches. */
  readonly capped: boolean
}

/** The lines of the text that match, with their context, as ripgrep lists them. */
export function matchesIn(text: string, pattern: RegExp, { contextLines, maxMatches }: MatchOptions): LinesFound {
  // One test of the complete text identifies most files that have no match.
  if (text === '' || !pattern.test(text)) return { lines: [], count: 0, capped: false }
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const starts = matchStarts(lines, pattern, text.endsWith('\n'))
  const matching = [...starts.keys()]
  const listed = matching.slice(0, maxMatches)
  // The context of a match that is not listed is not shown either.
  const end = matching[maxMatches] ?? lines.length
  const shown = new Set<number>()
  for (const index of listed) {
    for (let near = Math.max(0, index - contextLines); near <= index + contextLines && near < end; near++) shown.add(near)
  }
  const found = [...shown].map((index) => {
    const start = starts.get(index)
    return { line: index + 1, text: shownLine((lines[index] ?? '').replace(/\r$/, ''), start ?? 0), isContext: start === undefined }
  })
  return { lines: found, count: listed.length, capped: matching.length > maxMatches }
}

/**
 * The index of each matching line, and the position in the line where its match begins. `isEnded`: whether the last line ends with a line
 * feed, like the other lines.
 */
function matchStarts(lines: readonly string[], pattern: RegExp, isEnded: boolean): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  for (const [index, line] of lines.entries()) {
    const hasFeed = isEnded || index < lines.length - 1
    // The line as ripgrep passes it to its engine: `\r\n` is removed, a lone line feed is kept.
    const seen = !hasFeed ? line : line.endsWith('\r') ? line.slice(0, -1) : `${line}\n`
    const match = pattern.exec(seen)
    // Matches after the line feed are ignored, as in ripgrep.
    if (match && match.index <= line.length) starts.set(index, match.index)
  }
  return starts
}

/** The decoder for the text of a file that begins with these bytes: UTF-8, or UTF-16 if its byte order mark is there. */
export function decoderFor(bytes: Uint8Array): TextDecoder {
  return new TextDecoder(encodingByMark(bytes))
}

/** A line without its line break. For a long line, the part around `matchStart` (UTF-16 units), with a note of the line's length. */
export function shownLine(line: string, matchStart: number): string {
  const text = line.replace(/\r?\n$/, '')
  if (text.length <= MAX_LENGTH) return text
  const wanted = matchStart + LEAD < MAX_LENGTH ? 0 : matchStart - LEAD
  const start = splitsPair(text, wanted) ? wanted - 1 : wanted
  const end = splitsPair(text, start + MAX_LENGTH) ? start + MAX_LENGTH - 1 : start + MAX_LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''} [line of ${text.length} characters]`
}

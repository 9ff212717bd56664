import { encodingByMark } from '../../../shared/lib/decode-utf8.ts'
import { splitsPair } from '../output/head-tail.ts'

/** Maximum number of characters of a matching line that are shown, because minified files have lines of megabytes. */
export const MAX_LENGTH = 2000

/** Number of characters shown before the first match of a shortened line. */
const LEAD = 200

export interface MatchOptions {
  readonly contextLines: number
  readonly multiline: boolean
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
export function matchesIn(text: string, pattern: RegExp, options: MatchOptions): LinesFound {
  if (text === '') return { lines: [], count: 0, capped: false }
  // One test of the complete text identifies most files that have no match.
  if (!options.multiline && !pattern.test(text)) return { lines: [], count: 0, capped: false }
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const starts = options.multiline ? spanned(text, pattern) : eachLine(lines, pattern, text.endsWith('\n'))
  const kept = new Map<number, boolean>()
  let count = 0
  for (const index of starts.keys()) {
    if (count === options.maxMatches && index < lines.length) return { lines: shown(lines, kept, starts, index), count, capped: true }
    for (let near = Math.max(0, index - options.contextLines); near <= index + options.contextLines && near < lines.length; near++) {
      if (!kept.has(near)) kept.set(near, true)
    }
    // A match after the last line end is not on any line, but ripgrep shows context for it.
    if (index >= lines.length) continue
    kept.set(index, false)
    count += 1
  }
  return { lines: shown(lines, kept, starts, lines.length), count, capped: false }
}

/**
 * The index of each matching line, and the position in the line where its match begins. `isEnded`: whether the last line ends with a line
 * feed, like the other lines.
 */
function eachLine(lines: readonly string[], pattern: RegExp, isEnded: boolean): Map<number, number> {
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

/** Returns every line that a match touches, for patterns whose matches may span lines. */
function spanned(text: string, pattern: RegExp): Map<number, number> {
  const starts = new Map<number, number>()
  let line = 0
  let counted = 0
  for (const match of text.matchAll(pattern)) {
    line += breaksIn(text, counted, match.index)
    counted = match.index
    const last = line + breaksIn(text, match.index, Math.max(match.index, match.index + match[0].length - 1))
    for (let index = line; index <= last; index++) if (!starts.has(index)) starts.set(index, 0)
  }
  return starts
}

function breaksIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function shown(
  lines: readonly string[],
  kept: ReadonlyMap<number, boolean>,
  starts: ReadonlyMap<number, number>,
  end: number,
): LinesFound['lines'] {
  const indexes = [...kept.keys()].filter((index) => index < end).toSorted((a, b) => a - b)
  return indexes.map((index) => {
    const text = lines[index] ?? ''
    return { line: index + 1, text: shownLine(text.replace(/\r$/, ''), starts.get(index) ?? 0), isContext: kept.get(index) ?? true }
  })
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

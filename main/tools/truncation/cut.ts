import type { TruncationMode } from './truncation-limits.ts'

/** The parts of the text that remain: its beginning and its end. `head` is empty if only the end is kept. */
export interface Cut {
  readonly head: string
  readonly tail: string
}

/** Null if the text fits. A surrogate pair at the cut is removed completely, never split. */
export function cutChars(text: string, maxChars: number, mode: TruncationMode): Cut | null {
  const most = wholeNumber(maxChars)
  if (text.length <= most) return null
  const headLength = mode === 'tail' ? 0 : Math.floor(most / 2)
  return {
    head: withoutHalfPairAtEnd(text.slice(0, headLength)),
    tail: withoutHalfPairAtStart(text.slice(text.length - (most - headLength))),
  }
}

/**
 * Null if the lines fit. Otherwise keeps half of the limit (rounded down) at the beginning and the rest at the end. A final newline does
 * not start a line.
 */
export function cutLines(text: string, maxLines: number): Cut | null {
  const most = wholeNumber(maxLines)
  const total = countLines(text)
  if (total <= most) return null
  const headLines = Math.floor(most / 2)
  return { head: firstLines(text, headLines), tail: lastLines(text, most - headLines) }
}

export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** The first lines, including the newline after the last one. */
export function firstLines(text: string, count: number): string {
  let end = 0
  for (let left = count; left > 0; left--) {
    const newline = text.indexOf('\n', end)
    if (newline < 0) return text
    end = newline + 1
  }
  return text.slice(0, end)
}

export function lastLines(text: string, count: number): string {
  if (count === 0) return ''
  let start = text.endsWith('\n') ? text.length - 1 : text.length
  for (let left = count; left > 0; left--) {
    if (start <= 0) return text
    const newline = text.lastIndexOf('\n', start - 1)
    if (newline < 0) return text
    start = newline
  }
  return text.slice(start + 1)
}

function withoutHalfPairAtEnd(text: string): string {
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text
}

function withoutHalfPairAtStart(text: string): string {
  return isLowSurrogate(text.charCodeAt(0)) ? text.slice(1) : text
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

function wholeNumber(limit: number): number {
  return Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : limit === Infinity ? limit : 0
}

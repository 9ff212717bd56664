const LINE_END = '\r\n'

/**
 * The newest output of a terminal, in pieces, so that the oldest can be dropped without copying. Lengths are in UTF-16 units. What is cut
 * off must not move the cursor. Of its sequences, those are kept that still have an effect after it.
 */
export class RecentText {
  #pieces: string[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(text: string): void {
    this.#pieces.push(text)
    this.#length += text.length
  }

  /** Returns the collected text and clears it. */
  take(): string {
    const text = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    return text
  }

  /** Drops all but about the last `most` characters. Returns false, and drops nothing, if no line begins in the first half of these. */
  dropOldest(most: number): boolean {
    const kept = this.lastLines(Infinity, most)
    if (kept === null) return false
    this.#pieces = [kept]
    this.#length = kept.length
    return true
  }

  /**
   * The last lines: at most `lines` line ends, and about `most` characters. Null if a line is so long that fewer than half as many
   * characters would remain.
   */
  lastLines(lines: number, most: number): string | null {
    let first = this.#pieces.length
    let length = 0
    while (first > 0 && length < most) length += this.#pieces[--first]?.length ?? 0
    const end = this.#pieces.slice(first).join('')
    const longest = first === 0 && length <= most ? 0 : end.indexOf(LINE_END, Math.max(0, length - most)) + LINE_END.length
    if (longest > 0 && (longest < LINE_END.length || length - longest < most / 2)) return null
    const from = Math.max(longest, lastLinesFrom(end, lines))
    if (from === 0) return end
    return lastingState([...this.#pieces.slice(0, first), end.slice(0, from - LINE_END.length)]) + end.slice(from)
  }
}

/** The start of the last `lines` complete lines and the unfinished line after them. */
function lastLinesFrom(text: string, lines: number): number {
  if (lines === Infinity) return 0
  let at = text.length
  for (let left = lines; left >= 0; left--) {
    if (at === 0) return 0
    at = text.lastIndexOf(LINE_END, at - 1)
    if (at < 0) return 0
  }
  return at + LINE_END.length
}

const MODE = /\x1b(?:\[\?[\d;]*[hl]|[=>])/g
const COLOR = /\x1b\[[\d;:]*m/g
const RESETS = ['\x1b[0m', '\x1b[m'] as const
/** Maximum number of color sequences since the last reset that are kept. */
const MAX_COLORS = 200

/**
 * The sequences of dropped text that still have an effect after it: the last sequence of each mode, and the colors since the last reset.
 */
function lastingState(dropped: readonly string[]): string {
  // The pieces are joined only if needed, because joining copies all output.
  if (!dropped.some((piece) => piece.includes('\x1b'))) return ''
  const text = dropped.join('')
  const modes = new Map<string, string>()
  if (hasMode(text)) for (const [sequence] of text.matchAll(MODE)) modes.set(sequence.slice(1, -1), sequence)
  let colors: string[] = []
  // Colored output has two sequences per line, and nearly all of them come before the last reset.
  const reset = Math.max(0, ...RESETS.map((sequence) => text.lastIndexOf(sequence)))
  for (const [sequence] of text.slice(reset).matchAll(COLOR)) {
    if (/^\D*0*m$/.test(sequence)) colors = []
    else colors.push(sequence)
  }
  return [...modes.values(), ...colors.slice(-MAX_COLORS)].join('')
}

/** Looks for the characters that only these sequences have, because colored output has an ESC every few characters. */
function hasMode(text: string): boolean {
  for (const mark of ['?', '=', '>']) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      const before = text.charAt(at - 1)
      if (before === '\x1b' || (before === '[' && text.charAt(at - 2) === '\x1b')) return true
    }
  }
  return false
}

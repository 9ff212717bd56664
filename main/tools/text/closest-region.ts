/** The lines of a file that are most similar to a text that was not found. They are shown in the message about the failure. */
export interface Region {
  /** Line number, from 1. */
  readonly firstLine: number
  readonly lines: readonly string[]
  /** The only kind of difference between the two texts; null if there are other differences. */
  readonly onlyIn: 'white space' | 'capitals' | null
}

/** Limits of the search. Beyond them, no region is reported, because the search would take too long. */
const MAX_FILE_LINES = 50_000
const MAX_WANTED = 400
const MAX_LINE_CHARS = 400
/** Minimum similarity. Lines that are less similar are probably unrelated. */
const LEAST_LIKENESS = 0.5

/** Null if there is nothing similar, or too much text to search. */
export function closestRegion(text: string, wanted: string): Region | null {
  const lines = text.split(/\r?\n/u, MAX_FILE_LINES + 1)
  const sought = wanted.replace(/^\n+|\n+$/gu, '').split(/\r?\n/u)
  if (lines.length > MAX_FILE_LINES || sought.length > MAX_WANTED) return null
  const first = byVotes(lines, sought) ?? byLikeness(lines, sought)
  if (first === null) return null
  const start = Math.max(0, Math.min(first, lines.length - 1))
  const region = lines.slice(start, start + sought.length)
  return { firstLine: start + 1, lines: region, onlyIn: difference(bare(region), bare(sought)) }
}

function difference(region: string, sought: string): Region['onlyIn'] {
  if (region === sought) return 'white space'
  return region.toLowerCase() === sought.toLowerCase() ? 'capitals' : null
}

/** Every line that both texts contain votes for the offset that would align its two occurrences. */
function byVotes(lines: readonly string[], sought: readonly string[]): number | null {
  const at = new Map<string, number[]>()
  for (const [index, line] of sought.entries()) {
    const key = line.trim()
    if (key.length > 2) at.set(key, [...(at.get(key) ?? []), index])
  }
  const votes = new Map<number, number>()
  for (const [index, line] of lines.entries()) {
    for (const position of at.get(line.trim()) ?? []) votes.set(index - position, (votes.get(index - position) ?? 0) + 1)
  }
  let best: number | null = null
  for (const [offset, count] of votes) if (best === null || count > (votes.get(best) ?? 0)) best = offset
  return best
}

/** For texts without a common line: the line that is most similar to the longest sought line. */
function byLikeness(lines: readonly string[], sought: readonly string[]): number | null {
  const key = sought.reduce((longest, line) => (line.trim().length > longest.trim().length ? line : longest), '')
  const pairs = pairsOf(key)
  if (pairs.size === 0) return null
  let best = -1
  let likeness = LEAST_LIKENESS
  for (const [index, line] of lines.entries()) {
    const alike = dice(pairs, line)
    if (alike > likeness) {
      best = index
      likeness = alike
    }
  }
  return best < 0 ? null : best - sought.indexOf(key)
}

/** Dice's coefficient over pairs of characters, ignoring case. */
function dice(pairs: ReadonlySet<string>, line: string): number {
  const other = pairsOf(line)
  if (other.size === 0) return 0
  let shared = 0
  for (const pair of other) if (pairs.has(pair)) shared++
  return (2 * shared) / (pairs.size + other.size)
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim().slice(0, MAX_LINE_CHARS).toLowerCase()
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2))
  return pairs
}

function bare(lines: readonly string[]): string {
  return lines.join('').replaceAll(/\s+/gu, '')
}

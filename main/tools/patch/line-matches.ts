import { isAscii } from '../text/encoding.ts'

/** How similar two lines must be. Each pass accepts everything that the earlier passes accept, and more. */
export type MatchPass = 'exact' | 'right-trim' | 'trim' | 'unicode' | 'spaces'

export const PASSES: readonly MatchPass[] = ['exact', 'right-trim', 'trim', 'unicode', 'spaces']

/**
 * Dashes, quotes and spaces that people and models write in place of the ASCII characters. Other compatibility characters are not folded.
 */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/gu, '-'],
  [/[\u2018-\u201b]/gu, "'"],
  [/[\u201c-\u201f]/gu, '"'],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/gu, ' '],
]

/** Replaces each character by one character, so that offsets remain valid. */
export function plainPunctuation(text: string): string {
  return PLAIN.reduce((plain, [odd, ascii]) => plain.replace(odd, ascii), text)
}

function folded(line: string, pass: MatchPass): string {
  switch (pass) {
    case 'exact':
      return line
    case 'right-trim':
      return line.trimEnd()
    case 'trim':
      return line.trim()
    case 'unicode':
      return isAscii(line) ? line.trim() : plainPunctuation(line).normalize('NFC').trim()
    case 'spaces':
      // Any run of whitespace inside a line counts as one space. A place without whitespace does not match a space.
      return folded(line, 'unicode').replaceAll(/[ \t]+/gu, ' ')
  }
}

/** Finds runs of lines in a file. It indexes the file once, so thousands of hunks cost little more than one. */
export interface LineMatches {
  /** Ascending indexes of the lines at which matches of `sought` begin. `sought` must contain at least one line. */
  starts(sought: readonly string[], pass: MatchPass): readonly number[]
  /** Indexes of lines that begin with `text`, ignoring whitespace at its ends. Needed because models often shorten anchors. */
  beginningWith(text: string): readonly number[]
}

/** `wanted` contains every line that will be searched for. Only these lines are indexed, because a file may have a million others. */
export function createLineMatches(lines: readonly string[], wanted: Iterable<string>): LineMatches {
  const indexes = new Map<MatchPass, ReadonlyMap<string, readonly number[]>>()
  const indexOf = (pass: MatchPass): ReadonlyMap<string, readonly number[]> => {
    const known = indexes.get(pass)
    if (known) return known
    const at = new Map<string, number[]>()
    for (const line of wanted) at.set(folded(line, pass), [])
    for (const [index, line] of lines.entries()) at.get(folded(line, pass))?.push(index)
    indexes.set(pass, at)
    return at
  }
  return {
    starts(sought, pass) {
      const at = indexOf(pass)
      const like = sought.map((line) => folded(line, pass))
      const rarest = rarestOf(like, at)
      return (at.get(like[rarest] ?? '') ?? [])
        .map((index) => index - rarest)
        .filter((start) => start >= 0 && like.every((line, offset) => isLike(lines[start + offset], line, pass)))
    },
    beginningWith(text) {
      const start = folded(text, 'trim')
      return lines.flatMap((line, index) => (line.trimStart().startsWith(start) ? [index] : []))
    },
  }
}

function isLike(line: string | undefined, wanted: string, pass: MatchPass): boolean {
  return line !== undefined && folded(line, pass) === wanted
}

/** The index of the wanted line that occurs least often in the file. The other lines are compared only next to its occurrences. */
function rarestOf(wanted: readonly string[], at: ReadonlyMap<string, readonly number[]>): number {
  let rarest = 0
  let least = Infinity
  for (const [index, line] of wanted.entries()) {
    const count = at.get(line)?.length ?? 0
    if (count < least) {
      rarest = index
      least = count
    }
  }
  return rarest
}

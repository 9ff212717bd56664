import { isAscii } from '../text/encoding.ts'

/** How alike two lines must be; each pass takes what those before it take, and more. */
export type MatchPass = 'exact' | 'right-trim' | 'trim' | 'unicode' | 'spaces'

export const PASSES: readonly MatchPass[] = ['exact', 'right-trim', 'trim', 'unicode', 'spaces']

/** Dashes, quotes and blanks that people and models write for the plain ones. No compatibility equivalents beside them. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/gu, '-'],
  [/[\u2018-\u201b]/gu, "'"],
  [/[\u201c-\u201f]/gu, '"'],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/gu, ' '],
]

/** Each character for one character, so that places stay what they are. */
export function plainPunctuation(text: string): string {
  return PLAIN.reduce((plain, [odd, usual]) => plain.replace(odd, usual), text)
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
      // Any run of whitespace inside a line counts as one space; no whitespace stays none.
      return folded(line, 'unicode').replaceAll(/[ \t]+/gu, ' ')
  }
}

/** Finds runs of lines in a file; what it learns of a file it keeps, so that thousands of hunks cost little more than one. */
export interface LineMatches {
  /** Where the lines begin that are like `sought`, of which there is at least one; in order. */
  starts(sought: readonly string[], pass: MatchPass): readonly number[]
  /** Lines that begin like `text`, blanks at its ends aside: an anchor is often cut short. */
  beginningWith(text: string): readonly number[]
}

/** `wanted`: every line that will be sought. Only where they stand is kept: a file may have a million others. */
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

/** The line that occurs least often: the others are looked at only around it. */
function rarestOf(wanted: readonly string[], at: ReadonlyMap<string, readonly number[]>): number {
  let [rarest, least] = [0, Infinity]
  for (const [index, line] of wanted.entries()) {
    const count = at.get(line)?.length ?? 0
    if (count < least) [rarest, least] = [index, count]
  }
  return rarest
}

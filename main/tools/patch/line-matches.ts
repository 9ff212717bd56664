/** How alike two lines must be; each pass takes what those before it take, and more (D-36). */
export type MatchPass = 'exact' | 'right-trim' | 'trim' | 'unicode'

export const PASSES: readonly MatchPass[] = ['exact', 'right-trim', 'trim', 'unicode']

/** Dashes, quotes and blanks that people and models write for the plain ones. No compatibility equivalents beside them (D-36). */
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
      return plainPunctuation(line).normalize('NFC').trim()
  }
}

/** Finds runs of lines in a file; what it learns of a file it keeps, so that thousands of hunks cost little more than one. */
export interface LineMatches {
  /** Where the lines begin that are like `sought`, which is not empty; in order. */
  starts(sought: readonly string[], pass: MatchPass): readonly number[]
  /** Lines that begin like `text`, blanks at its ends aside: an anchor is often cut short. */
  beginningWith(text: string): readonly number[]
}

interface Folded {
  readonly lines: readonly string[]
  readonly at: ReadonlyMap<string, readonly number[]>
}

export function createLineMatches(lines: readonly string[]): LineMatches {
  const indexes = new Map<MatchPass, Folded>()
  const indexOf = (pass: MatchPass): Folded => {
    const known = indexes.get(pass)
    if (known) return known
    const own = pass === 'exact' ? lines : lines.map((line) => folded(line, pass))
    const at = new Map<string, number[]>()
    for (const [index, line] of own.entries()) {
      const list = at.get(line)
      if (list) list.push(index)
      else at.set(line, [index])
    }
    const made = { lines: own, at }
    indexes.set(pass, made)
    return made
  }
  return {
    starts(sought, pass) {
      const { lines: own, at } = indexOf(pass)
      const wanted = sought.map((line) => folded(line, pass))
      const rarest = rarestOf(wanted, at)
      return (at.get(wanted[rarest] ?? '') ?? [])
        .map((index) => index - rarest)
        .filter((start) => start >= 0 && wanted.every((line, offset) => own[start + offset] === line))
    },
    beginningWith(text) {
      const wanted = folded(text, 'trim')
      return indexOf('trim').lines.flatMap((line, index) => (line.startsWith(wanted) ? [index] : []))
    },
  }
}

/** The line that occurs least often: the others are looked at only around it. */
function rarestOf(wanted: readonly string[], at: Folded['at']): number {
  let [rarest, least] = [0, Infinity]
  for (const [index, line] of wanted.entries()) {
    const count = at.get(line)?.length ?? 0
    if (count < least) [rarest, least] = [index, count]
  }
  return rarest
}

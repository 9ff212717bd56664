import { keptOf } from './common-subsequence.ts'
import { plainPunctuation } from './line-matches.ts'

/** A line as the model wrote it and as the file has it, both without indentation. */
export interface ContentPair {
  readonly old: string
  readonly file: string
}

const TOKENS = /\s+|[\p{L}\p{N}\p{M}_]+|[^]/gu

const tokensOf = (text: string): readonly string[] => text.match(TOKENS) ?? []
const isBlank = (token: string): boolean => /^\s/u.test(token)

/**
 * Returns a new line with the file's whitespace and punctuation. The parts that `old` and `fresh` have in common keep the bytes of the
 * file, and the other parts are taken from `fresh`. Null if `fresh` adds whitespace or quotes that the file writes differently from `old`,
 * or if it is ambiguous which parts are kept.
 */
export function contentLike(fresh: string, { old, file }: ContentPair): string | null {
  const body = bodyLike(fresh.trimEnd(), { old: old.trimEnd(), file: file.trimEnd() })
  if (body === null) return null
  const end = endOf(fresh) === endOf(old) ? endOf(file) : endOf(fresh)
  return body + end
}

const endOf = (text: string): string => text.slice(text.trimEnd().length)

function bodyLike(fresh: string, { old, file }: ContentPair): string | null {
  if (old === file) return fresh
  if (old === fresh) return file
  const oldTokens = tokensOf(old)
  const fileTokens = tokensOf(file)
  const freshTokens = tokensOf(fresh)
  const kept = keptOf(oldTokens, freshTokens)
  if (kept === null || oldTokens.length !== fileTokens.length) return null
  const [early, late] = [kept.early, kept.late].map((pairs) => {
    const tokens = freshTokens.map((token, at) => {
      const from = pairs[at]
      return from === undefined ? addedToken(token, oldTokens, fileTokens) : (fileTokens[from] ?? null)
    })
    return tokens.includes(null) ? null : tokens.join('')
  })
  return early !== undefined && early === late ? early : null
}

/** The file's form of a token that only the new line has; null if the file writes such tokens differently from the old line. */
function addedToken(token: string, old: readonly string[], file: readonly string[]): string | null {
  const like = (other: string): boolean => (isBlank(token) ? isBlank(other) : plainPunctuation(other) === plainPunctuation(token))
  const there = new Set(old.flatMap((other, at) => (like(other) && file[at] !== other ? [file[at] ?? ''] : [])))
  if (there.size === 0) return token
  const [only] = there
  return there.size === 1 && only !== undefined && !isBlank(token) && only === plainPunctuation(token) ? only : null
}

/** How the model's lines and the file differ in writing the same text. */
export interface Differences {
  /** Runs of whitespace inside the model's lines that the file writes differently, so their form in a new line is unclear. */
  readonly blanks: ReadonlySet<string>
  /** Typographic characters in the model's lines for which the file always uses the plain character. */
  readonly plain: ReadonlySet<string>
  /** Number of tabs in each line of a table in which the model writes the tabs as spaces; null if there is no such table. */
  readonly columnTabs: number | null
}

/** `around` contains the lines of the file near the change. */
export function differencesOf(pairs: readonly ContentPair[], around: readonly string[]): Differences {
  const forms = new Map<string, Set<string>>()
  for (const { old, file } of pairs) {
    if (old === file) continue
    const there = tokensOf(file.trimEnd())
    for (const [at, token] of tokensOf(old.trimEnd()).entries()) {
      const isOdd = isBlank(token) ? there[at] !== token : plainPunctuation(token) !== token
      if (isOdd) forms.set(token, (forms.get(token) ?? new Set()).add(there[at] ?? ''))
    }
  }
  const blanks = new Set<string>()
  const plain = new Set<string>()
  for (const [token, there] of forms) {
    if (isBlank(token) && !isWrittenPlainly(token, there, around)) blanks.add(token)
    if (!isBlank(token) && there.size === 1 && there.has(plainPunctuation(token))) plain.add(token)
  }
  return { blanks, plain, columnTabs: forms.get(' ')?.has('\t') === true ? tabsInEach(around) : null }
}

/**
 * Whether lines nearby also contain this whitespace as the model writes it, so that only some lines of the file differ. Always false for
 * tabs, because they may separate columns.
 */
function isWrittenPlainly(blank: string, there: ReadonlySet<string>, around: readonly string[]): boolean {
  if ([blank, ...there].some((form) => /[^ \u00a0]/u.test(form))) return false
  return around.some((line) => tokensOf(line.trim()).includes(blank))
}

/** The number of tabs in each line if it is the same in all lines and the lines form a table; otherwise null. */
function tabsInEach(lines: readonly string[]): number | null {
  const counts = new Set(lines.filter((line) => line.trim() !== '').map((line) => line.split('\t').length - 1))
  const [only = 0] = counts
  return counts.size === 1 && only > 0 ? only : null
}

/**
 * Returns a new line that has no counterpart in the old text, as the file would write it. Null if the file writes such whitespace
 * differently from the model.
 */
export function addedContent(fresh: string, { blanks, plain, columnTabs }: Differences): string | null {
  const tokens = tokensOf(fresh.trimEnd())
  const isRow =
    columnTabs !== null && tokens.filter(isBlank).length === columnTabs && tokens.every((token) => !isBlank(token) || token === ' ')
  if (isRow) return tokens.map((token) => (token === ' ' ? '\t' : token)).join('') + endOf(fresh)
  if (tokens.some((token) => blanks.has(token))) return null
  return tokens.map((token) => (plain.has(token) ? plainPunctuation(token) : token)).join('') + endOf(fresh)
}

/** How much two lines have in common, from 0 to 1. Compares their words, or their characters if one line has no words. */
export function likeness(a: string, b: string): number {
  const [solid, words] = [/\S/u, /[\p{L}\p{N}_]/u].map((kind) => [a, b].map((text) => tokensOf(text).filter((token) => kind.test(token))))
  const [left, right] = (words?.some((found) => found.length === 0) ? solid : words) ?? []
  if (!left || !right || left.length + right.length === 0) return 0
  const counts = new Map<string, number>()
  for (const token of left) counts.set(token, (counts.get(token) ?? 0) + 1)
  let shared = 0
  for (const token of right) {
    const count = counts.get(token) ?? 0
    if (count > 0) shared++
    counts.set(token, count - 1)
  }
  return (2 * shared) / (left.length + right.length)
}

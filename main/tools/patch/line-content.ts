import { keptOf } from './common-parts.ts'
import { plainPunctuation } from './line-matches.ts'

/** A line as the model wrote it and as it stands in the file; both without indentation. */
export interface ContentPair {
  readonly old: string
  readonly file: string
}

const TOKENS = /\s+|[\p{L}\p{N}\p{M}_]+|[^]/gu

const tokensOf = (text: string): readonly string[] => text.match(TOKENS) ?? []
const isBlank = (token: string): boolean => /^\s/u.test(token)

/**
 * A new line in the file's whitespace and punctuation: what `old` and `fresh` have in common keeps the bytes of the file, the rest is
 * taken from `fresh`. Null: `fresh` adds whitespace or quotes that the file writes differently from `old`, or what it keeps is ambiguous.
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
  const [oldTokens, fileTokens, freshTokens] = [tokensOf(old), tokensOf(file), tokensOf(fresh)]
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

/** A token that only the new line has. Null: the file writes its like differently from the old line. */
function addedToken(token: string, old: readonly string[], file: readonly string[]): string | null {
  const like = (other: string): boolean => (isBlank(token) ? isBlank(other) : plainPunctuation(other) === plainPunctuation(token))
  const there = new Set(old.flatMap((other, at) => (like(other) && file[at] !== other ? [file[at] ?? ''] : [])))
  if (there.size === 0) return token
  const [only] = there
  return there.size === 1 && only !== undefined && !isBlank(token) && only === plainPunctuation(token) ? only : null
}

/** How the file writes what the model's lines write differently. */
export interface Differences {
  /** Runs of whitespace inside the model's lines that the file has otherwise. */
  readonly blanks: ReadonlySet<string>
  /** Typographic characters of the model's lines for which the file always has the plain one. */
  readonly plain: ReadonlySet<string>
}

export function differencesOf(pairs: readonly ContentPair[]): Differences {
  const blanks = new Set<string>()
  const forms = new Map<string, Set<string>>()
  for (const { old, file } of pairs) {
    if (old === file) continue
    const there = tokensOf(file.trimEnd())
    for (const [at, token] of tokensOf(old.trimEnd()).entries()) {
      if (isBlank(token) && there[at] !== token) blanks.add(token)
      else if (plainPunctuation(token) !== token) forms.set(token, (forms.get(token) ?? new Set()).add(there[at] ?? ''))
    }
  }
  const plain = [...forms].flatMap(([token, there]) => (there.size === 1 && there.has(plainPunctuation(token)) ? [token] : []))
  return { blanks, plain: new Set(plain) }
}

/** A new line that has no counterpart in the old text. Null: its whitespace is of a kind that the file writes differently. */
export function addedContent(fresh: string, { blanks, plain }: Differences): string | null {
  const tokens = tokensOf(fresh.trimEnd())
  if (tokens.some((token) => blanks.has(token))) return null
  return tokens.map((token) => (plain.has(token) ? plainPunctuation(token) : token)).join('') + endOf(fresh)
}

/** From 0 to 1: how much of two lines is the same, by their words; by their signs where one has none. */
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

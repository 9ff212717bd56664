import { either, one, type Pattern, sequence, text } from '../../../../shared/lib/pattern/linear-matcher.ts'
import { POSIX_CLASSES } from '../ignore/gitignore-pattern.ts'

/** `[…]` as a pattern, and its length. A failure says what is malformed. */
export type GlobClass = { readonly pattern: Pattern; readonly length: number } | { readonly why: string }

/**
 * The class that `rest` begins with: `[abc]`, `[a-z]`, `[!a]`, `[^a]`, `[[:alpha:]]`. A `]` directly after the opening bracket is an
 * ordinary character, and so is a character after a backslash. The class matches no slash. `orItself`: whether the class also matches its
 * own text literally, because web apps have folders called `[id]` and `[[...path]]`.
 */
export function globClassAt(rest: string, orItself: boolean): GlobClass {
  const twice = orItself ? /^\[(\[[^[\]:]+)\]\]/u.exec(rest) : null
  if (twice) {
    const withBracket = sequence([one(classOf('', twice[1] ?? '')), text(']')])
    return { pattern: either([withBracket, text(twice[0])]), length: twice[0].length }
  }
  const [whole, negation = '', members] = /^\[([!^]?)(\]?(?:\[:\w*:\]|\\[^]|[^\\\]])*)\]/u.exec(rest) ?? []
  if (!whole || !members) return { why: String.raw`[ has no ]; write \[ for the character itself` }
  const unknown = [...members.matchAll(/\[:(\w*):\]/gu)].find(([, name = '']) => !Object.hasOwn(POSIX_CLASSES, name))
  if (unknown) return { why: `there is no class ${unknown[0]}; the classes are ${Object.keys(POSIX_CLASSES).join(', ')}` }
  const source = classOf(negation, members)
  // The literal text begins with `[`. A class that matches `[` is meant as a class.
  const isDistinct = negation === '' && !members.includes('[') && !holdsBracket(source)
  return { pattern: orItself && isDistinct ? either([one(source), text(whole)]) : one(source), length: whole.length }
}

function classOf(negation: string, members: string): string {
  const parts = members.match(/\[:\w*:\]|\\?[^]/gu) ?? []
  const source = parts.map((part, index) => {
    const before = parts[index - 1]
    const after = parts[index + 1]
    if (part === '-' && before !== undefined && after !== undefined) return isNamed(before) || isNamed(after) ? String.raw`\-` : '-'
    return isNamed(part) ? POSIX_CLASSES[part.slice(2, -2)] : escapedMember(part)
  })
  return `(?!/)[${negation ? '^' : ''}${source.join('')}]`
}

function isNamed(part: string): boolean {
  return part.length > 2
}

function escapedMember(part: string): string {
  return (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part).replace(/[\^\\\]-]/u, String.raw`\$&`)
}

function holdsBracket(source: string): boolean {
  try {
    return new RegExp(source, 'u').test('[')
  } catch {
    // The error is a range that runs backwards. It is reported when the complete expression is built.
    return true
  }
}

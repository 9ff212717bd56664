import { Buffer } from 'node:buffer'
import { linearMatcher, sequence, text } from '../../../../shared/lib/pattern/linear-matcher.ts'
import { pathPattern } from './path-pattern.ts'

/**
 * Turns a pattern of a `.gitignore`, without its `!` and final slash, into a test of paths. It compares byte by byte as git does, and `{` is
 * an ordinary character. Null if the pattern can match nothing.
 */
export function gitignorePattern(pattern: string, isAnchored: boolean): ((path: string) => boolean) | null {
  const bytes = bytesOf(pattern.startsWith('/') ? pattern.slice(1) : pattern)
  // The literal beginning is removed first, so that stars after it are treated as if they began the pattern.
  const plain = /^[^*?[\\]*/u.exec(bytes)?.[0] ?? ''
  const rest = pathPattern(bytes.slice(plain.length), 'git')
  if (!rest.ok || bytes === '') return null
  const matches = linearMatcher(sequence([text(plain), rest.value]))
  return (path) => matches(bytesOf(isAnchored ? path : path.slice(path.lastIndexOf('/') + 1)))
}

/** Converts text to a string with one character per byte of its UTF-8 form. */
function bytesOf(given: string): string {
  return /^[\0-\x7f]*$/u.test(given) ? given : Buffer.from(given).toString('latin1')
}

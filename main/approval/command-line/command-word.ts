import type { DoubleQuotedChild, ParameterExpansionPart, SimpleExpansionPart, Word, WordPart } from 'unbash'

/**
 * One word as a program gets it. `literal`: the word is exactly `text`. `pattern`: `text` contains `*`, `?` or `[…]`, which the shell
 * expands. `unknown`: the word is known only at run time, and `text` is as written.
 */
export interface CommandWord {
  readonly text: string
  readonly kind: 'literal' | 'pattern' | 'unknown'
}

/** Stands for an unknown home folder. It is outside every folder. */
export const NO_HOME = '/~'
/** Maximum number of alternatives in one word. A word with more counts as unknown. */
const MAX_ALTERNATIVES = 64

/** Escapes in `$'…'` that bash expands and the parser reads differently: `\x{2e}` is a dot, `\c.` a control character. */
const RARE_ESCAPE = /\\(?:x\{|c)/u

const TOO_MANY: readonly CommandWord[] = Array.from({ length: MAX_ALTERNATIVES + 1 }, () => ({ text: '', kind: 'unknown' }))

/** The words into which the shell expands one word, for example several for `{a,b}`. `home`: what `~` and `$HOME` stand for. */
export function readCommandWord(word: Word, home: string | null): readonly CommandWord[] {
  if (word.text.startsWith('~') && !/^~(?:$|\/)/u.test(word.text)) return [{ text: word.text, kind: 'unknown' }]
  const parts = word.parts ? word.parts.map((part) => partOf(part, home)) : [[{ text: word.value, kind: 'literal' } as const]]
  const words = parts.reduce<readonly CommandWord[]>((all, next) => product(all, next), [{ text: '', kind: 'literal' }])
  if (words.length > MAX_ALTERNATIVES) return [{ text: word.text, kind: 'unknown' }]
  return words.map(({ text, kind }) => ({
    text: word.text.startsWith('~') ? text.replace('~', home ?? NO_HOME) : text,
    kind: text.includes('\0') ? 'unknown' : kind,
  }))
}

function product(some: readonly CommandWord[], next: readonly CommandWord[]): readonly CommandWord[] {
  if (some.length * next.length > MAX_ALTERNATIVES) return TOO_MANY
  return some.flatMap((a) => next.map((b) => ({ text: a.text + b.text, kind: looser(a.kind, b.kind) })))
}

const LOOSENESS = ['literal', 'pattern', 'unknown'] as const

const looser = (a: CommandWord['kind'], b: CommandWord['kind']): CommandWord['kind'] =>
  LOOSENESS.indexOf(a) > LOOSENESS.indexOf(b) ? a : b

function partOf(part: WordPart, home: string | null): readonly CommandWord[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return [{ text: part.value, kind: 'literal' }]
    case 'AnsiCQuoted':
      return [{ text: part.value, kind: RARE_ESCAPE.test(part.text) ? 'unknown' : 'literal' }]
    case 'Glob':
      return [{ text: part.text, kind: 'pattern' }]
    case 'DoubleQuoted':
      return part.parts.map((child) => quotedPart(child, home)).reduce(product, [{ text: '', kind: 'literal' }])
    case 'BraceExpansion':
      return alternatives(part.text)
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return [variable(part, home)]
    case 'ProcessSubstitution':
      return [{ text: '/dev/fd/63', kind: 'literal' }]
    default:
      return [{ text: part.text, kind: 'unknown' }]
  }
}

const quotedPart = (part: DoubleQuotedChild, home: string | null): readonly CommandWord[] => partOf(part, home)

/** Only the variables that contain the home folder or the current folder have known values. */
function variable(part: SimpleExpansionPart | ParameterExpansionPart, home: string | null): CommandWord {
  if (part.text === '$HOME' || part.text === '${HOME}') return { text: home ?? NO_HOME, kind: 'literal' }
  if (part.text === '$PWD' || part.text === '${PWD}') return { text: '.', kind: 'literal' }
  return { text: part.text, kind: 'unknown' }
}

/** Expands `{a,b}` if nothing inside it has to be expanded. A range or nested braces are unknown. */
function alternatives(text: string): readonly CommandWord[] {
  if (!/^\{[^{}'"\\$`*?[\]]*,[^{}'"\\$`*?[\]]*\}$/u.test(text)) return [{ text, kind: 'unknown' }]
  return text
    .slice(1, -1)
    .split(',')
    .map((each) => ({ text: each, kind: 'literal' }))
}

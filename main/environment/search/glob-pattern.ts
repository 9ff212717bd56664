/**
 * One glob in the dialect of `.gitignore` and of ripgrep's `-g`, as a regular expression over a whole path with `/`: `*` and `?` stop
 * at a slash, `**` between slashes spans folders, classes, `{a,b}`, and a backslash makes the next character ordinary. Null when it
 * is not well formed.
 */
export function globExpression(glob: string, caseSensitive = true): RegExp | null {
  const source = translate(glob)
  if (source === null) return null
  try {
    return new RegExp(`^${source}$`, caseSensitive ? 'su' : 'sui')
  } catch {
    return null
  }
}

function translate(glob: string): string | null {
  let source = ''
  let depth = 0
  for (let at = 0; at < glob.length;) {
    const piece = pieceAt(glob, at, depth)
    if (piece === null) return null
    source += piece.source
    at += piece.length
    depth += piece.nesting ?? 0
  }
  return depth === 0 ? source : null
}

interface Piece {
  readonly source: string
  readonly length: number
  readonly nesting?: 1 | -1
}

function pieceAt(glob: string, at: number, depth: number): Piece | null {
  const rest = glob.slice(at)
  const starts = at === 0 || glob[at - 1] === '/'
  if (starts && rest.startsWith('**/')) return { source: '(?:.*/)?', length: /^(?:\*\*\/)+/.exec(rest)?.[0].length ?? 3 }
  if (rest === '**' && starts) return { source: at === 0 ? '.*' : '.+', length: 2 }
  const character = rest[0] ?? ''
  switch (character) {
    case '*':
      return { source: '[^/]*', length: /^\*+/.exec(rest)?.[0].length ?? 1 }
    case '?':
      return { source: '[^/]', length: 1 }
    case '[':
      return classAt(rest)
    case '{':
      return { source: '(?:', length: 1, nesting: 1 }
    case '}':
      return depth > 0 ? { source: ')', length: 1, nesting: -1 } : null
    case ',':
      return { source: depth > 0 ? '|' : ',', length: 1 }
    case '\\': {
      const next = String.fromCodePoint(...[rest.codePointAt(1)].filter((code) => code !== undefined))
      return next === '' ? null : { source: escaped(next), length: 1 + next.length }
    }
    default: {
      const whole = String.fromCodePoint(rest.codePointAt(0) ?? 0)
      return { source: escaped(whole), length: whole.length }
    }
  }
}

/** `[abc]`, `[a-z]`, `[!a]`, `[^a]`; a `]` directly behind the bracket is an ordinary character. */
function classAt(rest: string): Piece | null {
  const match = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest)
  const [whole, negation, members] = match ?? []
  if (!whole || !members) return null
  const source = [...members].map((member, index, all) => {
    const isRange = member === '-' && index > 0 && index < all.length - 1
    return isRange ? '-' : member.replace(/[\^\\\]-]/, String.raw`\$&`)
  })
  return { source: `[${negation ? '^' : ''}${source.join('')}]`, length: whole.length }
}

function escaped(character: string): string {
  return /^[\^$\\.*+?()[\]{}|/]$/.test(character) ? `\\${character}` : character
}

import { globExpression } from './glob-pattern.ts'

/** One line of a `.gitignore`. `path` is relative to the file's folder, with `/`. */
export interface IgnoreRule {
  /** Begins with `!`: takes back what an earlier rule left out. */
  readonly isNegated: boolean
  matches(path: string, isFolder: boolean): boolean
}

/** The rules of a `.gitignore` or of ripgrep's `-g` in order; lines that say nothing and malformed globs are left out. */
export function parseIgnoreRules(text: string): readonly IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => parseIgnoreRule(line) ?? [])
}

export function parseIgnoreRule(line: string): IgnoreRule | null {
  const trimmed = line.endsWith(String.raw`\ `) ? line : line.trimEnd()
  if (trimmed === '' || trimmed.startsWith('#')) return null
  const isNegated = trimmed.startsWith('!')
  const [body, onlyFolders] = withoutFinalSlash(isNegated ? trimmed.slice(1) : trimmed)
  const isAnchored = body.includes('/')
  const matches = matcher(body.startsWith('/') ? body.slice(1) : body, isAnchored)
  return matches && { isNegated, matches: (path, isFolder) => (isFolder || !onlyFolders) && matches(path) }
}

function withoutFinalSlash(body: string): readonly [string, boolean] {
  return body.length > 1 && body.endsWith('/') ? [body.slice(0, -1), true] : [body, false]
}

/** Most rules are a plain name or an ending; those need no regular expression. */
function matcher(glob: string, isAnchored: boolean): ((path: string) => boolean) | null {
  if (!isAnchored && /^\*?[\w.~@+-]+$/.test(glob)) {
    if (!glob.startsWith('*')) return (path) => nameOf(path) === glob
    const ending = glob.slice(1)
    return (path) => path.endsWith(ending)
  }
  const expression = globExpression(isAnchored ? glob : `**/${glob}`)
  return expression && ((path) => expression.test(path))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

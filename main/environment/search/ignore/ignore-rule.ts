import { gitignorePattern } from './gitignore-pattern.ts'

/** One line of a `.gitignore`. `path` is relative to the folder of that file and uses `/`. */
export interface IgnoreRule {
  /** Whether the line begins with `!`, so that it includes again what an earlier rule excluded. */
  readonly isNegated: boolean
  matches(path: string, isFolder: boolean): boolean
}

/** The rules of a `.gitignore` in order. Lines without a rule and patterns that can match nothing are left out. */
export function parseIgnoreRules(text: string): readonly IgnoreRule[] {
  return text
    .replace(/^\ufeff/u, '')
    .split('\n')
    .flatMap((line) => parseIgnoreRule(line.replace(/\r$/u, '')) ?? [])
}

function parseIgnoreRule(line: string): IgnoreRule | null {
  if (line.startsWith('#')) return null
  const trimmed = withoutFinalBlanks(line)
  const isNegated = trimmed.startsWith('!')
  const named = isNegated ? trimmed.slice(1) : trimmed
  const onlyFolders = named.endsWith('/')
  const body = onlyFolders ? named.slice(0, -1) : named
  const matches = matcher(body)
  return matches && { isNegated, matches: (path, isFolder) => (isFolder || !onlyFolders) && matches(path) }
}

/**
 * Removes trailing spaces, but not tabs, and not a space that is escaped with a backslash. A line that ends with an unescaped backslash
 * has no trailing spaces.
 */
function withoutFinalBlanks(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  let start = end
  while (line[start - 1] === '\\') start--
  return line.slice(0, end + ((end - start) % 2))
}

/** Most rules are a plain name, or `*` and the end of a name. These need no regular expression. */
function matcher(body: string): ((path: string) => boolean) | null {
  const isAnchored = body.includes('/')
  if (isAnchored || !/^\*?[\w.~@+-]+$/.test(body)) return gitignorePattern(body, isAnchored)
  if (!body.startsWith('*')) return (path) => nameOf(path) === body
  const ending = body.slice(1)
  return (path) => path.endsWith(ending)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * Returns which of `paths` a `.gitignore` with the content `text` ignores, in the given order. Paths are relative to its folder and use
 * `/`, and a folder ends with `/`. As in git, nothing below an ignored folder can be included again.
 */
export function ignoredBy(text: string, paths: readonly string[]): readonly string[] {
  const rules = parseIgnoreRules(text)
  return paths.filter((path) => isIgnored(rules, path))
}

/** Whether one line of a `.gitignore` excludes a path below its folder. */
export const fitsIgnoreLine = (line: string, path: string): boolean => ignoredBy(line, [path]).length > 0

function isIgnored(rules: readonly IgnoreRule[], path: string): boolean {
  const isFolder = path.endsWith('/')
  const names = path
    .replace(/^(?:\.\/)+/u, '')
    .split('/')
    .filter((name) => name !== '')
  return names.some((_, index) => {
    const part = names.slice(0, index + 1).join('/')
    const last = rules.findLast((rule) => rule.matches(part, isFolder || index < names.length - 1))
    return last !== undefined && !last.isNegated
  })
}

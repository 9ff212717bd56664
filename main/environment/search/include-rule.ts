import { globExpression } from './glob-pattern.ts'

/** A glob of ripgrep's `-g`: picks files by their path, which is relative to the folder searched, with `/`. */
export interface IncludeRule {
  /** Begins with `!`: leaves out what it matches. */
  readonly isNegated: boolean
  matches(path: string, isFolder: boolean): boolean
}

/** Null: it is not well formed. */
export function parseIncludeRule(glob: string): IncludeRule | null {
  const trimmed = glob.endsWith(String.raw`\ `) ? glob : glob.trimEnd()
  const isNegated = trimmed.startsWith('!')
  const named = isNegated ? trimmed.slice(1) : trimmed
  const onlyFolders = named.length > 1 && named.endsWith('/')
  const body = onlyFolders ? named.slice(0, -1) : named
  const expression = globExpression(body.includes('/') ? body.replace(/^\//u, '') : `**/${body}`)
  return expression && { isNegated, matches: (path, isFolder) => (isFolder || !onlyFolders) && expression.test(path) }
}

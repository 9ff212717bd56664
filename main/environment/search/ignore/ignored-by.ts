import { type IgnoreRule, parseIgnoreRules } from './ignore-rule.ts'

/**
 * Of `paths` (relative to the folder of a `.gitignore` with the content `text`, parted by `/`, a folder ends with one) those that it leaves
 * out, in the order given. As in git, nothing below a folder that is left out can be taken back.
 */
export function ignoredBy(text: string, paths: readonly string[]): readonly string[] {
  const rules = parseIgnoreRules(text)
  return paths.filter((path) => isIgnored(rules, path))
}

/** Whether one line of a `.gitignore` leaves out a path below its folder. */
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

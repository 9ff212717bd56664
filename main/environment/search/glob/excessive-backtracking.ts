/** Maximum number of characters of a name, on common file systems. */
const LONGEST_NAME = 255
/** Assumed depth of nested folders. */
const DEPTH = 16
/** Maximum number of ways to match. With more, one name may keep a regular expression busy for seconds. */
const MAX_WAYS = 100_000_000
/** Matches `**` with its slash, a slash, a star, and the characters of alternatives (`{`, `,` and `}`). Escaped characters are skipped. */
const SIGN = /\\[^]|(?:\*\*\/)+|\*\*$|[/*{},]/gu

/**
 * Whether a path can match these globs in so many ways that the listing, which backtracks, takes too long. A star can end at any character
 * of a name, and `**` at any depth. The ways of alternatives are added. Of the parts between slashes, only the one with the most ways
 * counts, because the parts are independent.
 */
export function backtracksTooLong(globs: readonly string[]): boolean {
  return globs.reduce((sum, glob) => sum + waysOf(glob), 0) > MAX_WAYS
}

/**
 * The number of ways to match one brace, in two parts: the alternatives before the current one (`before`), and the current alternative
 * (`here`).
 */
interface Group {
  before: number
  here: number
}

function waysOf(glob: string): number {
  /** The open braces, the innermost last. */
  const open: Group[] = [{ before: 0, here: 1 }]
  let most = 1
  let folders = 1
  for (const [sign] of glob.matchAll(SIGN)) {
    const inner = open.at(-1) as Group
    if (sign.startsWith('\\')) continue
    if (sign.startsWith('**')) folders *= DEPTH
    else if (sign === '*') inner.here *= LONGEST_NAME
    else if (sign === '{') open.push({ before: 0, here: 1 })
    else if (sign === '/' && open.length === 1) inner.here = 1
    else if (sign === ',' && open.length > 1) open.splice(-1, 1, { before: inner.before + inner.here, here: 1 })
    else if (sign === '}' && open.length > 1) {
      open.pop()
      const outer = open.at(-1) as Group
      outer.here *= inner.before + inner.here
    }
    most = Math.max(most, ...open.map(({ here }) => here))
  }
  return most * folders
}

/** A glob that matches everything below the folders that the given glob starts with. It needs no backtracking. */
export function everythingBelow(glob: string): string {
  const names = glob.split('/')
  const first = names.findIndex((name) => /[*{}\\]/u.test(name))
  return [...names.slice(0, Math.max(first, 0)), '**'].join('/')
}

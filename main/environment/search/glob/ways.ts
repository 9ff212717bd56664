/** Characters of a name at most, on the file systems that are used. */
const LONGEST_NAME = 255
/** Folders that may lie one in the other before a path is thought to be made to keep us busy. */
const DEEP = 16
/** What a look back costs, by the side of a step forward. */
const DEARER = 8
/** Above this one name may keep an expression busy for seconds. */
const FEW = 100_000_000
/** A glob's own signs: `**` with its slash, slash, star, and what makes alternatives; an escaped character is none. */
const SIGN = /\\[^]|(?:\*\*\/)+|\*\*$|!\(|[/*{}(),|]/gu

/**
 * Whether a path can be read by these globs in so many ways that a single name keeps the app busy (fault 21). A star may end anywhere in a name,
 * `**` any number of folders deep; alternatives add up; what stands between other slashes does not multiply. `chained`: of stars with nothing
 * but characters between them only the last is tried in every way (`joinedOneWay`).
 */
export function hasManyWays(globs: readonly string[], chained: boolean): boolean {
  return globs.reduce((sum, glob) => sum + waysOf(glob, chained), 0) > FEW
}

/** A group of alternatives that is open. */
interface Group {
  /** Ways of the alternatives before, and of this one. */
  before: number
  here: number
  /** In `!(…)`, which is read backwards as far as the place where it begins. */
  readonly isNegated: boolean
  /** Its first star there has one way, since it ends at that place. */
  hasFirst: boolean
}

function waysOf(glob: string, chained: boolean): number {
  /** The innermost last. */
  const open: Group[] = [{ before: 0, here: 1, isNegated: false, hasFirst: true }]
  let [most, folders] = [1, 1]
  let wasStar = false
  for (const [sign] of glob.matchAll(SIGN)) {
    const inner = open.at(-1) as Group
    if (sign.startsWith('\\')) continue
    if (sign.startsWith('**')) folders *= DEEP
    else if (sign === '*') {
      const isOneWay = inner.isNegated ? !inner.hasFirst : chained && wasStar
      inner.here *= isOneWay ? 1 : LONGEST_NAME
      inner.hasFirst = true
    } else if (sign === '{' || sign.endsWith('(')) {
      // What is none of its alternatives may end anywhere, like a star, and each time all of the path before it is compared.
      if (sign === '!(') inner.here *= LONGEST_NAME * DEARER
      open.push({ before: 0, here: 1, isNegated: inner.isNegated || sign === '!(', hasFirst: sign !== '!(' })
    } else if (sign === '/' && open.length === 1) inner.here = 1
    else if ((sign === ',' || sign === '|') && open.length > 1) {
      const next: Group = {
        ...inner,
        before: inner.before + inner.here,
        here: 1,
        hasFirst: !inner.isNegated || open.at(-2)?.isNegated === true,
      }
      open.splice(-1, 1, next)
    } else if ((sign === '}' || sign === ')') && open.length > 1) {
      open.pop()
      const outer = open.at(-1) as Group
      outer.here *= inner.before + inner.here
    }
    wasStar = sign === '*'
    most = Math.max(most, ...open.map(({ here }) => here))
  }
  return most * folders
}

/** What matches all that a glob does, in one way: everything below the folders that it begins with. */
export function everythingBelow(glob: string): string {
  const names = glob.split('/')
  const first = names.findIndex((name) => /[*{}\\]/u.test(name))
  return [...names.slice(0, Math.max(first, 0)), '**'].join('/')
}

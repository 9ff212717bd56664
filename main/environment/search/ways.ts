/** Characters of a name at most, on the file systems that are used. */
const LONGEST_NAME = 255
/** Folders that may lie one in the other before a path is thought to be made to keep us busy. */
const DEEP = 16
/** Above this one name may keep an expression busy for seconds. */
const FEW = 100_000_000
/** A glob's own signs: `**` with its slash, slash, star, and what makes alternatives; an escaped character is none. */
const SIGN = /\\[^]|(?:\*\*\/)+|\*\*$|[/*{}(),|]/gu

/**
 * Whether a glob can read one path in so many ways that a single name keeps the app busy (fault 21). A star may end anywhere in a name, `**`
 * any number of folders deep; alternatives add up; what stands between other slashes does not multiply. `chained`: of stars with nothing but
 * characters between them only the last is tried in every way (`joinedOneWay`).
 */
export function hasManyWays(glob: string, chained: boolean): boolean {
  /** Ways of the alternatives before and of this one, for each group that is open, the innermost last. */
  const open: { before: number; here: number }[] = [{ before: 0, here: 1 }]
  let [most, folders] = [1, 1]
  let wasStar = false
  for (const [sign] of glob.matchAll(SIGN)) {
    const inner = open.at(-1) as { before: number; here: number }
    if (sign.startsWith('\\')) continue
    if (sign.startsWith('**')) folders *= DEEP
    else if (sign === '*') inner.here *= chained && wasStar ? 1 : LONGEST_NAME
    else if (sign === '{' || sign === '(') open.push({ before: 0, here: 1 })
    else if (sign === '/' && open.length === 1) inner.here = 1
    else if ((sign === ',' || sign === '|') && open.length > 1) Object.assign(inner, { before: inner.before + inner.here, here: 1 })
    else if ((sign === '}' || sign === ')') && open.length > 1) {
      open.pop()
      const outer = open.at(-1) as { here: number }
      outer.here *= inner.before + inner.here
    }
    wasStar = sign === '*'
    most = Math.max(most, ...open.map(({ here }) => here))
  }
  return most * folders > FEW
}

/** What matches all that a glob does, in one way: everything below the folders that it begins with. */
export function everythingBelow(glob: string): string {
  const names = glob.split('/')
  const first = names.findIndex((name) => /[*{}\\]/u.test(name))
  return [...names.slice(0, Math.max(first, 0)), '**'].join('/')
}

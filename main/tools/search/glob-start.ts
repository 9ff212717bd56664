/** Characters that have a meaning in globs. */
const SPECIAL = /[*?[\]{}()!\\]/u

export type GlobStart =
  | { readonly folder: string; readonly pattern: string }
  | { readonly folder: null; readonly pattern: string; readonly plain: string; readonly rest: string }

/**
 * Splits a glob such as `/home/x/src/**` or `../other/*.ts` into the start folder and the rest, so that the folder is checked like any
 * path. `folder` is null for a relative glob without `..`. In that case, `plain` is the path before the first wildcard, and `rest` is the
 * remaining glob. Null if `..` occurs after the first wildcard.
 */
export function globStart(pattern: string): GlobStart | null {
  const parts = pattern.split('/')
  const firstSpecial = parts.findIndex((part) => SPECIAL.test(part))
  // The last part always belongs to the pattern.
  const plain = parts.slice(0, firstSpecial < 0 ? parts.length - 1 : firstSpecial)
  const leads = pattern.startsWith('/') || pattern.startsWith('~/') || /^[a-z]:/iu.test(pattern) || plain.includes('..')
  const rest = leads ? parts.slice(plain.length) : parts
  if (
    rest
      .join('/')
      .split(/[/{},()|]/u)
      .includes('..')
  )
    return null
  if (leads) return { folder: plain.join('/') || '/', pattern: rest.join('/') }
  return { folder: null, pattern, plain: plain.join('/'), rest: parts.slice(plain.length).join('/') }
}

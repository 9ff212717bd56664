/** Characters that begin the part of a glob that is not a plain path. */
const SPECIAL = /[*?[\]{}()!\\]/u

export type GlobStart =
  | { readonly folder: string; readonly pattern: string }
  | { readonly folder: null; readonly pattern: string; readonly plain: string; readonly rest: string }

/**
 * A glob that names a place, `/home/x/src/**` or `../other/*.ts`, as the folder to start in and the rest; so the folder is judged
 * like any path. `folder` is null where the glob is already relative to the start; `plain` and `rest` are then the folders that it begins with,
 * without a special character, and what stands behind them. Null: it leads out behind its first special part.
 */
export function globStart(pattern: string): GlobStart | null {
  const parts = pattern.split('/')
  const firstSpecial = parts.findIndex((part) => SPECIAL.test(part))
  // At least the last part stays a pattern.
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

/** Characters that begin the part of a glob that is not a plain path. */
const SPECIAL = /[*?[\]{}()!\\]/u

/**
 * A glob that names a place, `/home/x/src/**` or `../other/*.ts`, as the folder to start in and the rest; so the folder is judged
 * like any path. `folder` is null where the glob is already relative to the start. Null: it leads out behind its first special part.
 */
export function globStart(pattern: string): { readonly folder: string | null; readonly pattern: string } | null {
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
  return leads ? { folder: plain.join('/') || '/', pattern: rest.join('/') } : { folder: null, pattern }
}

import { isAbsolute, join, resolve } from 'node:path'

/** What a person typed as a folder, absolute: `~` is the home folder, and a relative path begins there, since an app has no folder of its own. */
export function typedFolder(typed: string, home: string): string {
  const path = typed.trim()
  if (path === '~') return home
  if (path.startsWith('~/') || path.startsWith('~\\')) return join(home, path.slice(2))
  return isAbsolute(path) ? resolve(path) : resolve(home, path)
}

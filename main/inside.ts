import { isAbsolute, relative, sep } from 'node:path'

/** Whether `path` is `folder` or lies below it. Compared by path components: `/ws-evil` does not lie in `/ws`. Links are not resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

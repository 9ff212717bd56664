import { isAbsolute, relative, sep } from 'node:path'

/** Whether `path` is `folder` or is inside it. Compares path components: `/ws-evil` is not in `/ws`. Links are not resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

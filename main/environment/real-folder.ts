import { realpath } from 'node:fs/promises'

/** A folder as trust is bound to it: its real path; one that is not there stays as it was named, and whoever opens it says so. */
export function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

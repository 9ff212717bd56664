import { realpath } from 'node:fs/promises'

/** The real path of a folder, by which trust is stored; the given path if it does not exist, which opening it will report. */
export function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

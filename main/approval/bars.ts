import { posix } from 'node:path'
import { NO_HOME } from './line/word.ts'

/** What no signature allows to remove, in words; null: none of it. `path`: absolute, without `.` and `..`. */
export function barOf(path: string, root: string, home: string | null): string | null {
  if (path === '/') return 'the whole file system'
  if (path === home || path === NO_HOME) return 'the home folder'
  if (path === root) return 'the whole folder of this session'
  return /^\.git$/iu.test(posix.basename(path)) ? "git's data, and with it the history" : null
}

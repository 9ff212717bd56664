import { readFileSync } from 'node:fs'

/** Whether a process runs. A zombie counts as dead, because its parent process may be slow to collect it. Works only on Linux. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

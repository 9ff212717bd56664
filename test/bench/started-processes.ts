import { readdirSync, readFileSync } from 'node:fs'

/** The memory of all processes that this one has started, each page divided by the number of processes that share it. */
export const startedBytes = (): number => startedProcesses().reduce((sum, pid) => sum + sharedBytes(pid), 0)

/** The CPU time of this process and of all that it has started, even of those that have ended, in ms. The kernel counts in steps of 10 ms. */
export const cpuMs = (): number => [process.pid, ...startedProcesses()].reduce((sum, pid) => sum + cpuMsOf(pid), 0)

function startedProcesses(): readonly number[] {
  const parents = new Map(readdirSync('/proc').flatMap((name) => (/^\d+$/u.test(name) ? [[Number(name), parentOf(name)] as const] : [])))
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0
    return parent === process.pid || (parent > 1 && isOurs(parent))
  }
  return [...parents.keys()].filter(isOurs)
}

const parentOf = (pid: string): number => Number(/^PPid:\s+(\d+)/mu.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
const sharedBytes = (pid: number): number => 1024 * Number(/^Pss:\s+(\d+)/mu.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)

/** Its own CPU time and that of the processes that it has waited for. A process's name may contain spaces and parentheses. */
function cpuMsOf(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

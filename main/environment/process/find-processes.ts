import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { MARKER_VARIABLE } from './process-marker.ts'
import { findInPsOutput, type FoundProcess, PS_COLUMNS, type Search } from './ps-output.ts'

/** All processes that match, except zombies. Finds only processes of the same user. */
export async function findProcesses(search: Search): Promise<readonly FoundProcess[]> {
  if (process.platform === 'linux') return findInProc(search)
  if (process.platform === 'win32') return []
  return findByPs(search)
}

function findInProc({ groups, marker, outputs, since }: Search): FoundProcess[] {
  const earliest = Number(since ?? 0)
  const found: FoundProcess[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const status = readStatus(pid)
    if (!status || status.state === 'Z' || status.state === 'X' || Number(status.startTime) < earliest) continue
    const inGroup = groups.has(status.group)
    if (inGroup || hasMarker(pid, marker) || holds(pid, outputs)) found.push({ pid, startTime: status.startTime, inGroup })
  }
  return found
}

interface Status {
  readonly state: string
  readonly group: number
  readonly startTime: string
}

/** From `/proc/<pid>/stat`. The command's name is in parentheses and may contain anything, so fields are counted after it. */
function readStatus(pid: number): Status | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, , group] = fields
    const startTime = fields[19]
    return state && startTime ? { state, group: Number(group), startTime } : null
  } catch {
    return null
  }
}

function hasMarker(pid: number, marker: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${MARKER_VARIABLE}=${marker}`)
  } catch {
    return false
  }
}

function holds(pid: number, outputs: Search['outputs']): boolean {
  if (!outputs || outputs.size === 0) return false
  return [1, 2].some((descriptor) => outputs.has(linkOf(pid, descriptor) ?? ''))
}

/** The pipes that a process writes to, by inode. Empty if it has a terminal or the system does not report its pipes. */
export function outputsOf(pid: number): readonly string[] {
  if (process.platform !== 'linux') return []
  return [linkOf(pid, 1), linkOf(pid, 2)].filter((link) => link !== null && /^(?:socket|pipe):/u.test(link)) as string[]
}

function linkOf(pid: number, descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`)
  } catch {
    return null
  }
}

/** The kernel's start time of a process. Null if the process has ended, or if the system is not Linux. */
export function startTimeOf(pid: number): string | null {
  return process.platform === 'linux' ? (readStatus(pid)?.startTime ?? null) : null
}

/**
 * Whether a process has ended (on Linux). A zombie has: it only waits for its parent. `startTime`: of the process that had this pid. If
 * null, any process with the pid counts.
 */
export function isOver(pid: number, startTime: string | null): boolean {
  const status = readStatus(pid)
  if (status === null || status.state === 'Z' || status.state === 'X') return true
  return startTime !== null && status.startTime !== startTime
}

/** Used on macOS and the BSDs. */
function findByPs(search: Search): Promise<readonly FoundProcess[]> {
  const { promise, resolve } = Promise.withResolvers<readonly FoundProcess[]>()
  const options = { maxBuffer: 64 * 1024 * 1024 }
  execFile('/bin/ps', ['-A', '-E', '-ww', ...PS_COLUMNS], options, (_error, text) => resolve(findInPsOutput(text, search, process.pid)))
  return promise
}

/** The time since the start of this machine, in the unit of `startTimeOf` (0.01 s). Null on other systems than Linux. */
export function machineUptime(): number | null {
  try {
    return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 100)
  } catch {
    return null
  }
}

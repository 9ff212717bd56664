import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { MARKER_VARIABLE } from './marker.ts'

/** A process that belongs to a command: in its group, or carrying its marker. */
export interface FoundProcess {
  readonly pid: number
  /** The kernel's start time in its own unit, which with the pid names a process for good; null where it is not known. */
  readonly startTime: string | null
  /** Of one of the groups that were searched for, not only marked. */
  readonly inGroup: boolean
}

export interface Search {
  /** Members of these process groups. */
  readonly groups: ReadonlySet<number>
  /** Start of the marker's value. */
  readonly marker: string
}

/** Everything alive that matches; zombies are dead. Sees only processes of the own user. */
export async function findProcesses(search: Search): Promise<readonly FoundProcess[]> {
  if (process.platform === 'linux') return findInProc(search)
  if (process.platform === 'win32') return []
  return findByPs(search)
}

function findInProc({ groups, marker }: Search): FoundProcess[] {
  const found: FoundProcess[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const status = readStatus(pid)
    if (!status || status.state === 'Z' || status.state === 'X') continue
    const inGroup = groups.has(status.group)
    if (inGroup || hasMarker(pid, marker)) found.push({ pid, startTime: status.startTime, inGroup })
  }
  return found
}

interface Status {
  readonly state: string
  readonly group: number
  readonly startTime: string
}

/** From `/proc/<pid>/stat`: the command's name stands in brackets and may hold anything, so fields count from behind it. */
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

/** The kernel's start time of a process; null when it is gone or the system does not say. */
export function startTimeOf(pid: number): string | null {
  return process.platform === 'linux' ? (readStatus(pid)?.startTime ?? null) : null
}

/** macOS: `ps -E` shows the environment of the user's own processes behind the command. */
function findByPs({ groups, marker }: Search): Promise<readonly FoundProcess[]> {
  const { promise, resolve } = Promise.withResolvers<readonly FoundProcess[]>()
  const options = { maxBuffer: 64 * 1024 * 1024 }
  execFile('/bin/ps', ['-A', '-E', '-ww', '-o', 'pid=,pgid=,stat=,command='], options, (_error, text) => {
    resolve(text.split('\n').flatMap((line) => foundInLine(line, groups, marker)))
  })
  return promise
}

function foundInLine(line: string, groups: ReadonlySet<number>, marker: string): FoundProcess[] {
  const [, pid, pgid, state] = /^\s*(\d+)\s+(\d+)\s+(\S+)/.exec(line) ?? []
  if (!pid || Number(pid) === process.pid || state?.startsWith('Z')) return []
  const inGroup = groups.has(Number(pgid))
  return inGroup || line.includes(`${MARKER_VARIABLE}=${marker}`) ? [{ pid: Number(pid), startTime: null, inGroup }] : []
}

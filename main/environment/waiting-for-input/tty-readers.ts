import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { polledDescriptors } from './polled-descriptors.ts'

/**
 * How a process waits for a terminal's input: in a blocking read, by polling the terminal, or in an event loop. `hidden`: the process
 * sleeps, but its system call cannot be read, because the process runs with other privileges (`sudo`, `su`).
 */
export type TtyReading = 'read' | 'poll' | 'loop' | 'hidden'

/** Maximum number of threads of a process that are checked. More than one is needed because Java does not read in the first thread. */
const MAX_TASKS = 64

/**
 * On Linux, how `leader` or a descendant in the terminal's foreground group currently waits for the terminal's input. Null if none of them
 * waits, or if this cannot be determined.
 */
export function ttyReading(leader: number): TtyReading | null {
  const terminal = terminalOf(leader)
  if (!terminal) return null
  for (const pid of treeOf(leader)) {
    const status = statusOf(pid)
    if (status?.group !== terminal.foreground) continue
    if (status.isAsleep && isHidden(pid)) return 'hidden'
    for (const task of tasksOf(pid)) {
      const reading = readingOf(pid, task, (fd) => isTerminal(linkOf(pid, fd), terminal.path))
      if (reading) return reading
    }
  }
  return null
}

/** System call numbers by processor. */
const CALLS = {
  x64: { read: [0, 19], select: [23, 270], poll: [7, 271], epoll: [232, 281, 441] },
  arm64: { read: [63, 65], select: [72], poll: [73], epoll: [22, 441] },
} as const

function readingOf(pid: number, task: number, isTty: (fd: number) => boolean): TtyReading | null {
  const calls = process.arch === 'x64' || process.arch === 'arm64' ? CALLS[process.arch] : null
  const [number, ...args] = (procText(`/proc/${pid}/task/${task}/syscall`) ?? '').split(' ')
  if (!calls || !number || !/^\d+$/.test(number)) return null
  const call = Number(number)
  const is = (numbers: readonly number[]): boolean => numbers.includes(call)
  if (is(calls.read)) return isTty(Number(args[0])) ? 'read' : null
  if (is(calls.select)) return polledDescriptors(pid, 'select', args).some(isTty) ? 'poll' : null
  if (is(calls.poll)) return polledDescriptors(pid, 'poll', args).some(isTty) ? 'poll' : null
  if (is(calls.epoll)) return polledDescriptors(pid, 'epoll', args).some(isTty) ? 'loop' : null
  return null
}

interface Status {
  readonly isAsleep: boolean
  readonly group: number
  readonly tty: number
  readonly foreground: number
}

/** The fields that follow the process name in `/proc/<pid>/stat`. */
function statusOf(pid: number): Status | null {
  const text = procText(`/proc/${pid}/stat`)
  if (text === null) return null
  const [state, , group, , tty, foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { isAsleep: state === 'S', group: Number(group), tty: Number(tty), foreground: Number(foreground) }
}

/** Whether a process sleeps and has no children, as a shell at its prompt. False if the system does not say. */
export function sleepsAlone(pid: number): boolean {
  const lists = tasksOf(pid).map((task) => procText(`/proc/${pid}/task/${task}/children`))
  return lists.length > 0 && lists.every((list) => list?.trim() === '') && statusOf(pid)?.isAsleep === true
}

function terminalOf(leader: number): { readonly path: string; readonly foreground: number } | null {
  const status = statusOf(leader)
  if (!status || status.tty === 0 || status.foreground <= 0) return null
  // The major numbers of Unix 98 terminals begin at 136, with 256 terminals for each.
  const major = (status.tty >> 8) & 0xff
  const minor = (status.tty & 0xff) | ((status.tty >> 12) & 0xfff00)
  return major < 136 || major > 143 ? null : { path: `/dev/pts/${(major - 136) * 256 + minor}`, foreground: status.foreground }
}

function isTerminal(link: string | null, path: string): boolean {
  return link === path || link === '/dev/tty'
}

function* treeOf(pid: number): Iterable<number> {
  yield pid
  for (const task of tasksOf(pid)) {
    const children = procText(`/proc/${pid}/task/${task}/children`) ?? ''
    for (const child of children.split(' ').filter(Boolean)) yield* treeOf(Number(child))
  }
}

function tasksOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).slice(0, MAX_TASKS).map(Number)
  } catch {
    return []
  }
}

function isHidden(pid: number): boolean {
  try {
    readFileSync(`/proc/${pid}/syscall`)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
  }
}

function linkOf(pid: number, fd: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    return null
  }
}

/** Null if the file does not exist or cannot be read. */
function procText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1').trim()
  } catch {
    return null
  }
}

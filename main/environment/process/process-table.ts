import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { CrashNotes } from '../crash-notes.ts'
import { createMarkers } from './process-marker.ts'
import type { Search } from './ps-output.ts'
import { findProcesses, startTimeOf } from './find-processes.ts'
import { windowsProgram } from './find-program.ts'

/** Time between SIGTERM and SIGKILL (ms). */
const GRACE_MS = 2_000
/** How long to wait for the end after SIGKILL, in ms. Only a process stuck in the kernel lives longer. */
const AFTER_KILL_MS = 500
/** Pid in the note of a command whose pid is not known yet. */
const NOBODY = 0
/** Time between checks for processes that are still alive (ms). */
const LOOK_MS = 20

/** A running command. `pid` leads its own process group. */
export interface OwnedProcess {
  readonly pid: number
  readonly startTime: string | null
  readonly marker: string
  readonly command: string
  readonly cwd: string
  /** When it began, in ms since 1970. */
  readonly since: number
}

/** A command that is about to start. It is noted in advance, so that its processes can be found by the marker after a crash. */
export interface ComingProcess {
  /** The marker for the command's environment. */
  readonly marker: string
  /** `outputs`: the pipes with which the command was started. */
  began(pid: number, outputs?: readonly string[]): OwnedProcess
  /** Call this if the command could not be started. */
  failed(): void
}

/** The commands that were started in this process and are still running. None survives `endAll`. */
export interface ProcessTable {
  /** Call before the start, then call one of the two methods of the result. */
  begin(command: string, cwd: string): ComingProcess
  /** Call this when the command has ended. Processes that it left running remain owned, and their pids are returned. */
  release(owned: OwnedProcess, mayHaveLeft: boolean): Promise<readonly number[]>
  /**
   * Ends the command's group, all processes that have its marker, and all that have its output open: sends SIGTERM and, after 2 s, SIGKILL.
   * Resolves when all have ended.
   */
  end(owned: OwnedProcess): Promise<void>
  endAll(): Promise<void>
  running(): readonly OwnedProcess[]
  /** The pids of everything that was started and still runs, with what it has started itself. */
  pids(): Promise<readonly number[]>
}

export function createProcessTable(notes: CrashNotes): ProcessTable {
  const markers = createMarkers()
  const entries = new Map<OwnedProcess, { readonly note: { dispose(): void }; readonly outputs: readonly string[] }>()
  const ownStart = startTimeOf(process.pid)
  let hasStarted = false
  const remove = (owned: OwnedProcess): void => {
    entries.get(owned)?.note.dispose()
    entries.delete(owned)
  }
  const searchFor = (owned: readonly OwnedProcess[], marker: string): Search => ({
    groups: new Set(owned.map(({ pid }) => pid)),
    marker,
    outputs: new Set(owned.flatMap((each) => entries.get(each)?.outputs ?? [])),
    since: ownStart,
  })
  return {
    begin(command, cwd) {
      hasStarted = true
      const coming = { marker: markers.next(), command, cwd, since: Date.now() }
      const early = notes.note({ kind: 'command', pid: NOBODY, startTime: null, ...coming })
      return {
        marker: coming.marker,
        began(pid, outputs = []) {
          const owned = { ...coming, pid, startTime: startTimeOf(pid) }
          entries.set(owned, { note: notes.note({ kind: 'command', ...owned }), outputs })
          early.dispose()
          return owned
        },
        failed: () => early.dispose(),
      }
    },
    async release(owned, mayHaveLeft) {
      const left = mayHaveLeft || groupIsAlive(owned.pid) ? await findProcesses(searchFor([owned], owned.marker)) : []
      if (left.length === 0) remove(owned)
      return left.map(({ pid }) => pid)
    },
    async end(owned) {
      await endProcesses(searchFor([owned], owned.marker))
      remove(owned)
    },
    async endAll() {
      // Scanning all processes of the machine takes tens of milliseconds, so the scan is skipped if nothing was ever started.
      if (!hasStarted) return
      await endProcesses(searchFor([...entries.keys()], markers.run))
      for (const owned of entries.keys()) remove(owned)
    },
    running: () => [...entries.keys()],
    async pids() {
      if (!hasStarted) return []
      const found = await findProcesses(searchFor([...entries.keys()], markers.run))
      return found.map(({ pid }) => pid)
    },
  }
}

/** Sends SIGTERM to all that match and, after 2 s, SIGKILL. Searches again each time, to find processes that were just forked. */
export async function endProcesses(search: Search): Promise<void> {
  const { groups } = search
  if (process.platform === 'win32') return endTrees(groups)
  const asked = new Set<number>()
  for (const until = performance.now() + GRACE_MS; performance.now() < until; await delay(LOOK_MS)) {
    const alive = await findProcesses(search)
    if (alive.length === 0) return
    // The first signal goes to the complete group at once, so that no member sees another member end first.
    if (asked.size === 0) for (const group of groups) ask(-group)
    for (const { pid, inGroup } of alive) {
      if (!asked.has(pid) && (asked.size > 0 || !inGroup)) ask(pid)
    }
    for (const { pid } of alive) asked.add(pid)
  }
  for (const until = performance.now() + AFTER_KILL_MS; performance.now() < until; await delay(LOOK_MS)) {
    const alive = await findProcesses(search)
    if (alive.length === 0) return
    for (const { pid } of alive) signal(pid, 'SIGKILL')
  }
}

/** A stopped process must be continued to receive the signal. */
function ask(pid: number): void {
  signal(pid, 'SIGTERM')
  signal(pid, 'SIGCONT')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended, or belongs to another user.
  }
}

/** Also returns true for a group that contains only zombies, so the caller checks more closely. */
function groupIsAlive(group: number): boolean {
  if (process.platform === 'win32') return false
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Windows has no process groups, so the trees of child processes are ended. They are ended by force, because console programs ignore
 * polite requests.
 */
async function endTrees(roots: ReadonlySet<number>): Promise<void> {
  await Promise.all(
    [...roots].map((pid) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      execFile(windowsProgram('taskkill.exe'), ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve())
      return promise
    }),
  )
}

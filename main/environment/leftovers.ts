import { unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CrashNote } from './crash-notes.ts'
import { TEMP_NAME } from './files/temp-file.ts'
import { findProcesses, startTimeOf } from './process/process-scan.ts'
import { endProcesses } from './process/process-table.ts'

/** Processes of a command that outlived a crash of the app. */
export interface LeftCommand {
  readonly command: string
  readonly cwd: string
  readonly pids: readonly number[]
  /** SIGTERM, 2 s, SIGKILL. Resolves when all are gone. */
  end(): Promise<void>
}

/** Removes the temp files that a crash left behind (fault 16); the notes come from the run that crashed. */
export async function removeTempFiles(notes: readonly CrashNote[]): Promise<void> {
  const paths = notes.flatMap((note) => (note.kind === 'temp-file' && TEMP_NAME.test(basename(note.path)) ? [note.path] : []))
  await Promise.all(paths.map((path) => unlink(path).catch(() => {})))
}

/**
 * Which noted commands still run. A process group counts only while the pid that led it is still the same process, by its start
 * time, since pids are used again; whatever carries the command's marker counts anyway.
 */
export async function findLeftCommands(notes: readonly CrashNote[]): Promise<readonly LeftCommand[]> {
  const left: LeftCommand[] = []
  for (const note of notes) {
    if (note.kind !== 'command') continue
    const isLeader = note.startTime !== null && startTimeOf(note.pid) === note.startTime
    const groups = new Set(isLeader ? [note.pid] : [])
    const found = await findProcesses({ groups, marker: note.marker })
    const pids = found.map(({ pid }) => pid)
    if (pids.length > 0) left.push({ command: note.command, cwd: note.cwd, pids, end: () => endProcesses(groups, note.marker) })
  }
  return left
}

import { unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CommandNote, CrashNote } from './crash-notes.ts'
import { TEMP_NAME } from './files/temp-file.ts'
import { findProcesses, startTimeOf } from './process/find-processes.ts'
import { endProcesses } from './process/process-table.ts'

/** Removes the temp files that a crash left; the notes are those of the process that crashed. */
export async function removeTempFiles(notes: readonly CrashNote[]): Promise<void> {
  const paths = notes.flatMap((note) => (note.kind === 'temp-file' && TEMP_NAME.test(basename(note.path)) ? [note.path] : []))
  await Promise.all(paths.map((path) => unlink(path).catch(() => {})))
}

/** The processes of a noted command that still run after a crash of the app; empty: it has ended. */
export async function leftOf(note: CommandNote): Promise<readonly number[]> {
  const found = await findProcesses({ groups: groupsOf(note), marker: note.marker })
  return found.map(({ pid }) => pid)
}

/** Ends the remaining processes of a noted command: SIGTERM, SIGKILL after 2 s. Resolves when all have ended. */
export function endLeft(note: CommandNote): Promise<void> {
  return endProcesses({ groups: groupsOf(note), marker: note.marker })
}

/**
 * A process group counts only while its leader's pid still has the same start time, since pids are reused. Processes with the command's
 * marker count in any case. Checked each time, since the leader may have ended since the last check.
 */
function groupsOf({ pid, startTime }: CommandNote): ReadonlySet<number> {
  return new Set(startTime !== null && startTimeOf(pid) === startTime ? [pid] : [])
}

import { unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CommandNote, CrashNote } from './crash-notes.ts'
import { TEMP_NAME } from './files/temp-file.ts'
import { findProcesses, startTimeOf } from './process/find-processes.ts'
import { endProcesses } from './process/process-table.ts'

/** Removes the temp files that a crash left. The notes are those of the crashed process. */
export async function removeTempFiles(notes: readonly CrashNote[]): Promise<void> {
  const paths = notes.flatMap((note) => (note.kind === 'temp-file' && TEMP_NAME.test(basename(note.path)) ? [note.path] : []))
  await Promise.all(paths.map((path) => unlink(path).catch(() => {})))
}

/** The processes of a noted command that are still running after a crash of the app. Empty if the command has ended. */
export async function leftOf(note: CommandNote): Promise<readonly number[]> {
  const found = await findProcesses({ groups: groupsOf(note), marker: note.marker })
  return found.map(({ pid }) => pid)
}

/** Ends the remaining processes of a noted command with SIGTERM and, after 2 s, SIGKILL. Resolves when all have ended. */
export function endLeft(note: CommandNote): Promise<void> {
  return endProcesses({ groups: groupsOf(note), marker: note.marker })
}

/**
 * A process group counts only while its leader's pid still has the same start time, because pids are reused. Processes with the command's
 * marker count in any case. This is checked each time, because the leader may have ended since the last check.
 */
function groupsOf({ pid, startTime }: CommandNote): ReadonlySet<number> {
  return new Set(startTime !== null && startTimeOf(pid) === startTime ? [pid] : [])
}

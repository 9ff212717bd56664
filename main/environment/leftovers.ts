import { unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CommandNote, CrashNote } from './crash-notes.ts'
import { TEMP_NAME } from './files/temp-file.ts'
import { findProcesses, startTimeOf } from './process/process-scan.ts'
import { endProcesses } from './process/process-table.ts'

/** Removes the temp files that a crash left behind (fault 16); the notes come from the run that crashed. */
export async function removeTempFiles(notes: readonly CrashNote[]): Promise<void> {
  const paths = notes.flatMap((note) => (note.kind === 'temp-file' && TEMP_NAME.test(basename(note.path)) ? [note.path] : []))
  await Promise.all(paths.map((path) => unlink(path).catch(() => {})))
}

/** The processes of a noted command that outlived a crash of the app, as they stand now; none: it has ended. */
export async function leftOf(note: CommandNote): Promise<readonly number[]> {
  const found = await findProcesses({ groups: groupsOf(note), marker: note.marker })
  return found.map(({ pid }) => pid)
}

/** SIGTERM to what is left of a noted command, 2 s, SIGKILL. Resolves when all are gone. */
export function endLeft(note: CommandNote): Promise<void> {
  return endProcesses({ groups: groupsOf(note), marker: note.marker })
}

/**
 * A process group counts only while the pid that led it is still the same process, by its start time, since pids are used again; whatever
 * carries the command's marker counts anyway. Looked up each time: between two looks the leader may have ended.
 */
function groupsOf({ pid, startTime }: CommandNote): ReadonlySet<number> {
  return new Set(startTime !== null && startTimeOf(pid) === startTime ? [pid] : [])
}

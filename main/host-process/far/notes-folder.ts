import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { commandNote, tempFileNote } from '../../environment/crash-note-schema.ts'
import { orNull } from '../../environment/environment-failure.ts'
import type { CrashNotes } from '../../environment/crash-notes.ts'
import { endLeft, removeTempFiles } from '../../environment/end-leftovers.ts'
import { startTimeOf } from '../../environment/process/find-processes.ts'
import { createNotes } from '../../store/claims/crash-notes-file.ts'

const note = z.discriminatedUnion('kind', [tempFileNote, commandNote])

/**
 * Notes of this host process about what a crash would leave behind, in a private folder of the machine on which it runs. First ends what
 * host processes left running that were killed: nobody can be asked about it, because their connections are lost.
 */
export async function openNotes(data: string): Promise<CrashNotes> {
  const folder = join(data, 'notes')
  // On a full disk, the folder is served without notes, so that the user can make room.
  orNull(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  const notes = createNotes(folder, { holder: holderOf(process.pid, startTimeOf(process.pid)), leftBehind: namesOfDead })
  for (const left of notes.leftBehind()) {
    const found = left.entries.flatMap((entry) => {
      const parsed = note.safeParse(entry)
      return parsed.success ? [parsed.data] : []
    })
    await removeTempFiles(found)
    await Promise.all(found.flatMap((one) => (one.kind === 'command' ? [endLeft(one)] : [])))
    left.done()
  }
  return notes
}

/** Pids are reused, so the start time is part of the name. Systems that do not tell it have only the pid. */
const holderOf = (pid: number, startTime: string | null): string => `${pid}-${startTime ?? ''}`

function namesOfDead(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => {
    const [holder = ''] = name.split('.', 1)
    const pid = Number(holder.split('-', 1)[0])
    return name.endsWith('.jsonl') && holder !== holderOf(process.pid, startTimeOf(process.pid)) && !isHolder(holder, pid)
  })
}

/** Whether the process that wrote the notes still runs. */
function isHolder(holder: string, pid: number): boolean {
  const startTime = startTimeOf(pid)
  if (startTime !== null) return holder === holderOf(pid, startTime)
  if (process.platform === 'linux') return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

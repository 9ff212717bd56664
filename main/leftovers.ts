import { z } from 'zod'
import type { SessionSummary } from '../shared/api/sessions.ts'
import type { SessionId } from '../shared/lib/ids.ts'
import type { Trouble } from '../shared/session/events.ts'
import { StorageError } from './agent/storage-error.ts'
import { isInside } from './approval/place.ts'
import type { CrashNote } from './environment/crash-notes.ts'
import type { LeftCommand } from './environment/leftovers.ts'
import type { Store } from './store/store.ts'

const Note = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('temp-file'), path: z.string() }),
  z.object({
    kind: z.literal('command'),
    pid: z.number(),
    startTime: z.string().nullable(),
    marker: z.string().min(1),
    command: z.string(),
    cwd: z.string(),
  }),
]) satisfies z.ZodType<CrashNote>

interface Left {
  readonly notes: readonly CrashNote[]
  /** Those that the dead process ran, newest first. */
  readonly sessions: readonly SessionSummary[]
  done(): void
}

/**
 * Puts in order what processes that died in the middle of their work left about: unfinished files are removed, commands that still run are
 * ended, and the session that ran them is told. To be called before any session is taken over: its claim tells whose it was. A start with
 * nothing to put in order costs one look at a folder.
 */
export async function endLeftovers(store: Store): Promise<void> {
  const all = store.notes.leftBehind().map(({ holder, entries, done }): Left => {
    const held = store.claims.heldBy(holder)
    return { notes: entries.flatMap(noteOf), sessions: store.sessions.list().filter(({ sessionId }) => held.has(sessionId)), done }
  })
  if (all.length === 0) return
  const { findLeftCommands, removeTempFiles } = await import('./environment/leftovers.ts')
  for (const { notes, sessions, done } of all) {
    await removeTempFiles(notes)
    const commands = await findLeftCommands(notes)
    await Promise.all(commands.map((command) => command.end()))
    for (const command of commands) tell(store, sessions.find(({ folder }) => isInside(folder, command.cwd))?.sessionId, command)
    done()
  }
}

function noteOf(entry: unknown): readonly CrashNote[] {
  const parsed = Note.safeParse(entry)
  return parsed.success ? [parsed.data] : []
}

function tell(store: Store, sessionId: SessionId | undefined, command: LeftCommand): void {
  if (!sessionId) return
  try {
    store.log(sessionId).append({ kind: 'WARNING', trouble: leftRunning(command) })
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}

function leftRunning({ command, pids }: LeftCommand): Trouble {
  const [line = ''] = command.split('\n', 1)
  return {
    code: 'left_running',
    what: `Countersign was killed while “${line}” ran, and ${pids.length === 1 ? 'a process of it' : `${pids.length} processes of it`} went on.`,
    kept: 'Its files are as it left them.',
    todo: 'It has been ended now. Run it again if it is needed.',
  }
}

import { z } from 'zod'
import type { LeftCommand } from '../../shared/api/app.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { newId, SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { StorageError } from '../agent/storage-error.ts'
import { isInside } from '../is-inside.ts'
import { commandNote, tempFileNote } from '../environment/crash-note-schema.ts'
import type { CommandNote } from '../environment/crash-notes.ts'
import type { Store } from '../store/store.ts'

/**
 * A note that a process wrote before it died. If a later process took over the note because the user had not decided yet, the note includes
 * the session that ran the command.
 */
const Note = z.lazy(() => z.discriminatedUnion('kind', [tempFileNote, commandNote.extend({ sessionId: SessionId.optional() })]))
type Note = z.infer<typeof Note>
type NotedCommand = CommandNote & { readonly sessionId?: SessionId | undefined }

/** Interval in ms at which the app checks whether the commands offered to the user still run. */
const LOOK_MS = 1_000

/**
 * Cleans up what dead processes left behind. Removes unfinished files. The user decides about commands that are still running. If nobody
 * can be asked, they are stopped. If there is nothing to clean up, this only lists one folder at startup.
 */
export interface Leftovers {
  /** Commands that are still running and need a decision, oldest first. A command that ends is removed. */
  offered(): readonly LeftCommand[]
  onChange(listener: () => void): Disposable
  /**
   * Stops the command (SIGTERM, after 2 s SIGKILL) and records this in its session. Resolves to false if the command is not offered, or
   * no longer offered.
   */
  end(id: string): Promise<boolean>
  /** Lets the command run, never offers it again, and records this in its session. */
  keep(id: string): boolean
  /** Resolves when everything has been checked, with the commands that were stopped without asking the user. */
  readonly settled: Promise<readonly LeftCommand[]>
  /** Undecided commands are offered again at the next launch. */
  close(): Promise<void>
}

interface Offer {
  readonly shown: LeftCommand
  readonly note: NotedCommand
  /** The note that this process wrote in case it dies too. */
  readonly written: Disposable
}

/**
 * Call this before this process claims sessions: the claims of dead processes show which session ran each command, and new claims replace
 * them.
 */
export function createLeftovers(store: Store, how: 'offer' | 'end'): Leftovers {
  const offers = new Map<string, Offer>()
  const changed = new Emitter<void>()
  const endings = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const drop = (id: string): Offer | undefined => {
    const offer = offers.get(id)
    offers.delete(id)
    offer?.written.dispose()
    if (offer) changed.fire()
    return offer
  }
  const look = async (): Promise<void> => {
    const { leftOf } = await environment()
    for (const [id, { note, shown }] of offers) if (!shown.isEnding && (await leftOf(note)).length === 0) drop(id)
    watch()
  }
  const watch = (): void => {
    clearTimeout(timer)
    if (offers.size > 0 && !isClosed) timer = setTimeout(() => void look(), LOOK_MS).unref()
  }
  const ended = async (offer: Offer): Promise<void> => {
    const { endLeft } = await environment()
    await endLeft(offer.note)
    tell(store, offer.note, 'ended')
  }
  const end = async (id: string): Promise<boolean> => {
    const offer = offers.get(id)
    if (!offer || offer.shown.isEnding) return false
    offers.set(id, { ...offer, shown: { ...offer.shown, isEnding: true } })
    changed.fire()
    const ending = ended(offer)
    endings.add(ending)
    await ending.finally(() => {
      endings.delete(ending)
      drop(id)
    })
    return true
  }

  const settled = takenOver(store).then(async (notes) => {
    for (const { note, written, processes } of notes) {
      const { command, cwd: folder, since, sessionId = null } = note
      const shown = { id: newId('left'), command, folder, since, processes, sessionId, isEnding: false }
      offers.set(shown.id, { shown, note, written })
    }
    const found = [...offers.values()].map(({ shown }) => shown)
    if (found.length > 0) changed.fire()
    if (how === 'end') await Promise.all(found.map(({ id }) => end(id)))
    else watch()
    return how === 'end' ? found : []
  })
  // Only code that awaits `settled` sees a failure. The start does not wait, because stopping a process that ignores signals takes
  // seconds.
  settled.catch(() => {})

  return {
    offered: () => [...offers.values()].map(({ shown }) => shown).toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0)),
    onChange: changed.event,
    end,
    keep(id) {
      if (offers.get(id)?.shown.isEnding !== false) return false
      const offer = drop(id)
      if (offer) tell(store, offer.note, 'kept')
      return offer !== undefined
    },
    settled,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await settled
      await Promise.all(endings)
    },
  }
}

const environment = (): Promise<typeof import('../environment/end-leftovers.ts')> => import('../environment/end-leftovers.ts')

interface TakenOver {
  readonly note: NotedCommand
  readonly written: Disposable
  readonly processes: number
}

/** Takes over the notes of dead processes whose commands still run. Removes the other notes of dead processes. */
async function takenOver(store: Store): Promise<readonly TakenOver[]> {
  const all = store.notes.leftBehind().map(({ holder, entries, done }) => {
    const held = store.claims.heldBy(holder)
    const sessions = store.sessions.list().filter(({ sessionId }) => held.has(sessionId))
    const sessionOf = (cwd: string): SessionId | undefined => sessions.find(({ folder }) => isInside(folder, cwd))?.sessionId
    return { notes: entries.flatMap(noteOf), sessionOf, done }
  })
  if (all.length === 0) return []
  const { leftOf, removeTempFiles } = await environment()
  const found: TakenOver[] = []
  for (const { notes, sessionOf, done } of all) {
    await removeTempFiles(notes)
    for (const note of notes) {
      if (note.kind !== 'command' || found.some((one) => one.note.marker === note.marker)) continue
      const { length: processes } = await leftOf(note)
      const known = { ...note, sessionId: note.sessionId ?? sessionOf(note.cwd) }
      if (processes > 0) found.push({ note: known, written: store.notes.note(known), processes })
    }
    done()
  }
  return found
}

function noteOf(entry: unknown): readonly Note[] {
  const parsed = Note.safeParse(entry)
  return parsed.success ? [parsed.data] : []
}

function tell(store: Store, { sessionId, command }: NotedCommand, decision: 'ended' | 'kept'): void {
  if (!sessionId) return
  try {
    store.log(sessionId).append({ kind: 'WARNING', trouble: leftRunning(command, decision) })
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}

/** The failure that is recorded in the ledger of the session that ran the command. */
function leftRunning(command: string, decision: 'ended' | 'kept'): Trouble {
  const [line = ''] = command.split('\n', 1)
  const what = `Countersign was killed while “${line}” ran, and the command kept running.`
  return decision === 'ended'
    ? {
        code: 'left_running',
        what: `${what} It has now been stopped.`,
        kept: 'The files are as the command left them.',
        todo: 'Run the command again if you still need it.',
      }
    : {
        code: 'left_running',
        what: `${what} You let it run.`,
        kept: 'The command keeps running, and Countersign no longer watches it.',
        todo: 'Stop the command yourself when you no longer need it.',
      }
}

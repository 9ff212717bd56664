import { SOURCE_NAMES, type TranscriptSource } from '../../../shared/api/transfer.ts'
import { newId, SessionId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { FileChange, FolderChange } from '../../../shared/session/file-change.ts'
import type { Rollback } from '../../../shared/session/rollback.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import type { Store } from '../../store/store.ts'
import { IMPORT_MARKER } from '../../sessions/session-flags.ts'
import { withoutKeys } from '../export/read-session.ts'
import type { PastEvent, PastSession, Transcript } from './transcript.ts'

export interface ImportParts {
  readonly store: Pick<Store, 'sessions' | 'blobs' | 'log'>
  readonly redactor: Pick<Redactor, 'text'>
}

/**
 * Stores a transcript as a new session with its subagents, with the original times. The transcript grants no permissions: the session
 * works in mode `ask` at the provider's usual address, nothing in it waits for a signature, and none of its unfinished undos is completed
 * here. Works in slices. If the process is killed during the import, the next start removes what was stored. Rejects with a
 * `StorageError`.
 */
export async function importSession({ sessions, source, blobs }: Transcript, { store, redactor }: ImportParts): Promise<SessionId> {
  const slice = createSlices()
  for (const bytes of blobs.values()) {
    store.blobs.put(bytes)
    await slice()
  }
  const ids = new Map(sessions.map(({ id }) => [id, SessionId.parse(newId('s'))]))
  const idOf = (id: string): SessionId => ids.get(id) ?? SessionId.parse(id.slice(0, 80) || 'unknown')
  const seqs = new Map<number, number>()
  store.sessions.importBegins([...ids.values()])
  for (const session of sessions) {
    const sessionId = idOf(session.id)
    store.sessions.mark(sessionId, IMPORT_MARKER, source)
    let isIdle = true
    for (const batch of batchesOf(session)) {
      const events = batch.flatMap(({ event }) => harmless(event, { idOf, seqs, folder: folderOf(session) }) ?? [])
      const kept = batch.filter(({ event }) => !DROPPED.has(event.kind))
      const { envelopes, row } = store.sessions.appendPast(
        sessionId,
        events.map((event) => withoutKeys(event, redactor)),
        kept.map(({ at }) => at),
      )
      envelopes.forEach(({ seq }, index) => seqs.set(kept[index]?.seq ?? 0, seq))
      isIdle = row === null ? isIdle : row.run === 'IDLE' || row.run === 'CLOSED'
      await slice()
    }
    // Appended through the log, so that every window learns about the session.
    store.log(sessionId).append(...endOf(session, source, isIdle))
  }
  store.sessions.importEnded([...ids.values()])
  const [root] = sessions
  return idOf(root?.id ?? '')
}

const BATCH = 200

/** A move of the conversation refers to an earlier event whose new number must be known, so a move begins a new batch. */
function* batchesOf({ events }: PastSession): Generator<readonly PastEvent[]> {
  let batch: PastEvent[] = []
  for (const past of events) {
    if (batch.length >= BATCH || past.event.kind === 'CONVERSATION_MOVED' || past.event.kind === 'ROLLED_BACK') {
      if (batch.length > 0) yield batch
      batch = []
    }
    batch.push(past)
  }
  if (batch.length > 0) yield batch
}

/** An unfinished undo would write files when the session is opened. */
const DROPPED: ReadonlySet<DurableEvent['kind']> = new Set(['ROLLBACK_STARTED'])

interface Places {
  readonly idOf: (id: string) => SessionId
  /** New numbers of events, by their old numbers. */
  readonly seqs: ReadonlyMap<number, number>
  readonly folder: string
}

/** The event in the form that this store may contain; null if it is left out. */
function harmless(event: DurableEvent, { idOf, seqs, folder }: Places): DurableEvent | null {
  switch (event.kind) {
    case 'SESSION_START': {
      const { parent, forkedFrom: _, ...start } = event
      const link = parent && { ...parent, sessionId: idOf(parent.sessionId) }
      return { ...start, sessionId: idOf(event.sessionId), mode: 'ask', baseUrl: null, ...(link && { parent: link }) }
    }
    case 'SESSION_CONFIGURED':
      return { ...event, mode: 'ask', baseUrl: null }
    case 'SESSION_END':
      return { ...event, sessionId: idOf(event.sessionId) }
    case 'CONVERSATION_MOVED':
      return { ...event, to: seqs.get(event.to) ?? Number.MAX_SAFE_INTEGER }
    case 'ROLLED_BACK': {
      const { conversation } = event
      const moved = conversation && { conversation: { ...conversation, to: seqs.get(conversation.to) ?? Number.MAX_SAFE_INTEGER } }
      return { ...event, ...plainly(event, folder), ...moved }
    }
    case 'FILES_CHANGED':
      return { ...event, ...plainly(event, folder) }
    default:
      return DROPPED.has(event.kind) ? null : event
  }
}

function folderOf({ events: [first] }: PastSession): string {
  return first?.event.kind === 'SESSION_START' ? first.event.cwd : ''
}

function plainly({ files, folders }: Pick<Rollback, 'files' | 'folders'>, folder: string): Pick<Rollback, 'files' | 'folders'> {
  const own = folders && { folders: folders.map((one) => plainlyShown(one, folder)) }
  return { files: files.map((file) => plainlyShown(file, folder)), ...own }
}

/** A file must not be shown under the name of another one, because the user signs an undo by these names. */
function plainlyShown<F extends FileChange | FolderChange>(file: F, folder: string): F {
  const isInside = file.path.startsWith(`${folder}/`) && !file.path.split('/').includes('..')
  const shown = isInside ? file.path.slice(folder.length + 1) : file.path
  return file.shown === shown ? file : { ...file, shown }
}

/** Events that end everything that is open, and that say where the session comes from. */
function endOf({ events }: PastSession, source: TranscriptSource, isIdle: boolean): readonly [DurableEvent, ...DurableEvent[]] {
  const open = new Map<string, Extract<DurableEvent, { kind: 'TOOL_CALL_START' }>>()
  for (const { event } of events) {
    if (event.kind === 'TOOL_CALL_START') open.set(event.toolCallId, event)
    else if (event.kind === 'TOOL_CALL_END') open.delete(event.toolCallId)
  }
  const ends = [...open.values()].map(({ toolCallId, toolName }): DurableEvent => ({
    ...{ kind: 'TOOL_CALL_END', toolCallId, toolName, output: 'It had not ended when the session was exported.', outputBlob: null },
    ...{ modelText: null, isError: true, outcome: 'interrupted', durationMs: null, details: null },
  }))
  const from: DurableEvent = {
    kind: 'WARNING',
    trouble: {
      code: 'imported',
      what: `Imported from ${SOURCE_NAMES[source]}.`,
      kept: 'Everything above is shown as the file contains it. None of it ran here.',
      todo: 'Read and search it, or send a message to continue it here.',
    },
  }
  const [first, ...rest] = ends
  if (first) return [first, ...rest, { kind: 'PROCESSING_END', reason: 'interrupted' }, from]
  return isIdle ? [from] : [{ kind: 'PROCESSING_END', reason: 'completed', asks: false }, from]
}

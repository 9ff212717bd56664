import { IMPORT_MARKER, SOURCE_NAMES, type TranscriptSource } from '../../../shared/api/transfer.ts'
import { newId, SessionId } from '../../../shared/lib/ids.ts'
import { parseAddress } from '../../../shared/places/address.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { FileChange, FolderChange } from '../../../shared/session/file-change.ts'
import { isFinished } from '../../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import type { Rollback } from '../../../shared/session/rollback.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { retryWhileLocked } from '../../agent/record/retry-while-locked.ts'
import type { InterruptedImport } from '../../store/log/incomplete-sessions.ts'
import type { Store } from '../../store/store.ts'
import { withoutKeys } from '../export/read-session.ts'
import { LargeMap } from './large-map.ts'
import type { PastEvent, PastSession, Transcript } from './transcript.ts'

export interface ImportParts {
  readonly store: Pick<Store, 'sessions' | 'blobs' | 'log' | 'claims' | 'ledger' | 'eventsAfter'>
  readonly redactor: Pick<Redactor, 'text'>
}

/**
 * Stores a transcript as a new session with its subagents, with the original times. The transcript grants no permissions: the session works
 * in ask mode, at the provider's default address and with a new system prompt. The transcript sets no variables, nothing in it waits for a
 * signature or starts a turn, none of its unfinished undos is completed here, and it never becomes a part of another session. Works in
 * slices. During the import, the sessions are claimed, so that no other process takes them over. If the process is killed during the
 * import, the next start goes on with it if the file is unchanged, and otherwise removes what was stored. If the import fails, rejects with
 * a `StorageError`, and the sessions are no longer listed. `begun`: an interrupted import of the same transcript, which is finished.
 */
export async function importSession(
  { sessions, source, blobs, origin }: Transcript,
  { store, redactor }: ImportParts,
  begun: InterruptedImport | null = null,
): Promise<SessionId> {
  const slice = createSlices()
  for (const bytes of blobs.values()) {
    await retryWhileLocked(() => store.blobs.put(bytes))
    await slice()
  }
  const stored = sessions.map((session, index) => ({ session, sessionId: begun?.sessionIds[index] ?? SessionId.parse(newId('s')) }))
  const ids = stored.map(({ sessionId }) => sessionId)
  const [root] = ids
  if (!root) throw new Error('The transcript contains no session.')
  try {
    await retryWhileLocked(() => store.sessions.importBegins(ids, begun?.origin ?? origin ?? null))
    for (const sessionId of ids) await retryWhileLocked(() => store.claims.acquire(sessionId))
    await storeSessions(stored, source, { store, redactor })
    await retryWhileLocked(() => store.sessions.importEnded(ids))
  } catch (error) {
    await store.sessions.dropIncomplete(ids)
    throw error
  }
  for (const sessionId of ids) await retryWhileLocked(() => store.claims.release(sessionId))
  return root
}

async function storeSessions(
  stored: readonly { readonly session: PastSession; readonly sessionId: SessionId }[],
  source: TranscriptSource,
  { store, redactor }: ImportParts,
): Promise<void> {
  /**
   * The new ids of the sessions that are already stored. A link to any other session is dropped, so that the sessions always form a tree of
   * their own.
   */
  const known = new Map<string, SessionId>()
  const seqs = new LargeMap<number, number>()
  for (const { session, sessionId } of stored) {
    await retryWhileLocked(() => store.sessions.mark(sessionId, IMPORT_MARKER, source))
    const hasEnd = await storeEvents(session, { sessionId, known, seqs, folder: folderOf(session) }, { store, redactor })
    known.set(session.id, sessionId)
    if (hasEnd) continue
    const [first, ...rest] = endOf(await openCallsOf(session), source, store.ledger.snapshot(sessionId, 1))
    // The events are appended through the log, so that every window learns about the session.
    await retryWhileLocked(() => store.log(sessionId).append(first, ...rest))
  }
}

/**
 * Stores the events of one session in slices, without those that an interrupted import has already stored, and adds their new numbers to
 * `places.seqs`. Returns whether the interrupted import had also stored the events that end the session.
 */
async function storeEvents(session: PastSession, places: Places, { store, redactor }: ImportParts): Promise<boolean> {
  const slice = createSlices()
  const before = seqsOf(store, places.sessionId)
  let earlier = before.next()
  let newest = 0
  for (const batch of batchesOf(session)) {
    const kept: PastEvent[] = []
    const own = new Map<number, number>()
    for (const { seq, at, event } of batch) {
      const safe = harmless(event, places)
      if (safe && earlier.done !== true) {
        own.set(seq, earlier.value)
        earlier = before.next()
      } else if (safe) kept.push({ seq, at, event: withoutKeys(safe, redactor) })
      await slice()
    }
    if (kept.length > 0) {
      const events = kept.map(({ event }) => event)
      const times = kept.map(({ at }) => at)
      const { envelopes } = await retryWhileLocked(() => store.sessions.appendPast(places.sessionId, events, times))
      for (const [index, { seq }] of kept.entries()) own.set(seq, envelopes[index]?.seq ?? newest)
    }
    for (const { seq } of batch) {
      // A move can refer to an event that was left out. The conversation at that event is the same as at the nearest earlier event that was
      // kept.
      newest = own.get(seq) ?? newest
      places.seqs.set(seq, newest)
    }
    await slice()
  }
  return earlier.done !== true
}

/** The numbers of a session's stored events, in order. They are read as they are needed. */
function* seqsOf(store: Pick<Store, 'eventsAfter'>, sessionId: SessionId): Generator<number, undefined> {
  for (const batch of store.eventsAfter(sessionId, 0)) for (const { seq } of batch) yield seq
}

/** Maximum number of events that are stored in one transaction, and of characters in them. Storing them takes a few ms. */
const BATCH = 400
const BATCH_CHARS = 500_000

/** A move of the conversation refers to an earlier event whose new number must be known, so a move begins a new batch. */
function* batchesOf({ events }: PastSession): Generator<readonly PastEvent[]> {
  let batch: PastEvent[] = []
  let chars = 0
  for (const past of events) {
    if (batch.length >= BATCH || chars >= BATCH_CHARS || past.event.kind === 'CONVERSATION_MOVED' || past.event.kind === 'ROLLED_BACK') {
      if (batch.length > 0) yield batch
      batch = []
      chars = 0
    }
    batch.push(past)
    chars += charsIn(past.event)
  }
  if (batch.length > 0) yield batch
}

/** The number of characters in all texts of an event. */
function charsIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + charsIn(part), 0)
}

interface Places {
  readonly sessionId: SessionId
  /** New ids of the sessions before this one, by their old ids. */
  readonly known: ReadonlyMap<string, SessionId>
  /** New numbers of events, by their old numbers. */
  readonly seqs: LargeMap<number, number>
  readonly folder: string
}

/** The event without anything that an import must not bring into the store; null if the whole event is left out. */
function harmless(event: DurableEvent, { sessionId, known, seqs, folder }: Places): DurableEvent | null {
  switch (event.kind) {
    case 'SESSION_START': {
      const { parent, forkedFrom: _, ...start } = event
      const parentId = parent && known.get(parent.sessionId)
      return { ...start, sessionId, mode: 'ask', baseUrl: null, ...(parent && parentId && { parent: { ...parent, sessionId: parentId } }) }
    }
    case 'SESSION_CONFIGURED':
      return { ...event, mode: 'ask', baseUrl: null }
    case 'SESSION_END':
      return { ...event, sessionId }
    case 'ROLLBACK_STARTED':
      // An unfinished undo would write files when the session is opened.
      return null
    case 'REQUEST_CONTEXT':
      // The next request would be made with this system prompt, which describes another machine, or which somebody has changed.
      return null
    case 'HOOK_RAN': {
      // Every command of the session would get these variables.
      const { variables: _, ...run } = event
      return run
    }
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
      return event
  }
}

function folderOf({ events: [first] }: PastSession): string {
  return first?.event.kind === 'SESSION_START' ? parseAddress(first.event.cwd).folder : ''
}

function plainly({ files, folders }: Pick<Rollback, 'files' | 'folders'>, folder: string): Pick<Rollback, 'files' | 'folders'> {
  const own = folders && { folders: folders.map((one) => plainlyShown(one, folder)) }
  return { files: files.map((file) => plainlyShown(file, folder)), ...own }
}

/** A file must not be shown under another file's name, because the user signs an undo by these names. `folder`: the session's path at its place. */
function plainlyShown<F extends FileChange | FolderChange>(file: F, folder: string): F {
  const isInside = file.path.startsWith(`${folder}/`) && !file.path.split('/').includes('..')
  const shown = isInside ? file.path.slice(folder.length + 1) : file.path
  return file.shown === shown ? file : { ...file, shown }
}

type OpenCall = Extract<DurableEvent, { kind: 'TOOL_CALL_START' }>

/** The calls of a session that have not ended. */
async function openCallsOf({ events }: PastSession): Promise<readonly OpenCall[]> {
  const slice = createSlices()
  const open = new Map<string, OpenCall>()
  for (const { event } of events) {
    if (event.kind === 'TOOL_CALL_START') open.set(event.toolCallId, event)
    else if (event.kind === 'TOOL_CALL_END') open.delete(event.toolCallId)
    await slice()
  }
  return [...open.values()]
}

/** Events that end everything that is open, and that say where the session comes from. `state` is the state after all events. */
function endOf(
  open: readonly OpenCall[],
  source: TranscriptSource,
  state: SessionState | null,
): readonly [DurableEvent, ...DurableEvent[]] {
  const ends = open.map(({ toolCallId, toolName }): DurableEvent => ({
    kind: 'TOOL_CALL_END',
    toolCallId,
    toolName,
    output: 'The call had not ended when the session was exported.',
    outputBlob: null,
    modelText: null,
    isError: true,
    outcome: 'interrupted',
    durationMs: null,
    details: null,
  }))
  const isBeside = state?.config.where?.kind === 'beside'
  const from: DurableEvent = {
    kind: 'WARNING',
    trouble: {
      code: 'imported',
      what: `Imported from ${SOURCE_NAMES[source]}.${isBeside ? ' The session worked in a layer beside the folder, and no file contains a layer.' : ''}`,
      kept: `Everything above is shown as it is in the file. None of it ran here${isBeside ? ', and none of its changes are in the folder or in a layer' : ''}.`,
      todo: `Read or search the session, or send a message to continue it here${isBeside ? ', in a new layer that begins like the folder' : ''}.`,
    },
  }
  const [first, ...rest] = ends
  if (first) return [first, ...rest, { kind: 'PROCESSING_END', reason: 'interrupted' }, from]
  // Ending the turn also holds back waiting messages, so that none is sent without the user.
  return !state || isFinished(state) ? [from] : [{ kind: 'PROCESSING_END', reason: 'completed', asks: false }, from]
}

import { Buffer } from 'node:buffer'
import type { ReviewComment } from '../../shared/api/changes/review.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { BroughtIn, Done, SessionFlag, SessionFlags, SessionListItem, SessionStreamItem } from '../../shared/api/sessions.ts'
import { newId, type SessionId } from '../../shared/lib/ids.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { ConversationPoint } from '../../shared/session/conversation-move.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import type { PersonMessage } from '../../shared/session/person-message.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { EventLog } from '../agent/ports/event-log.ts'
import { deleteEmptySession, type EmptySessionParts } from '../cleaning/delete-empty-session.ts'
import { contextPartsOf } from '../sessions/context-parts.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { type Pictures, resultPicture } from '../sessions/attached-pictures.ts'
import { bringIn } from '../layers/bring-in-session.ts'
import { movedFolder } from '../layers/moved-folder.ts'
import { takeOver } from '../layers/take-over.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Store } from '../store/store.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import type { FlaggedSessions } from '../sessions/session-flags.ts'
import { agentIdOf, besideWith } from '../foreign-agents/known-agents.ts'
import { type ReviewNotebook, withComments } from '../review/review-notes.ts'
import type { SessionStarter } from '../sessions/start-session.ts'
import type { SessionCursors } from '../sessions/session-cursors.ts'
import { attachedText } from '../tools/documents/attached-text.ts'
import { unlessStorageFails, unlessStreamFails } from './storage-failures.ts'
import { sessionConfigurationChange, withoutUndefined } from './session-configuration-change.ts'
import { latestValue } from './latest-value.ts'

export interface SessionHandlerParts {
  readonly sessions: Sessions
  readonly starter: SessionStarter
  readonly notebook: ReviewNotebook
  readonly pictures: Pictures
  readonly seen: SessionCursors
  readonly dismissed: SessionCursors
  readonly flags: FlaggedSessions
  readonly blobs: Pick<BlobStore, 'get'>
  readonly store: Pick<Store, 'sessions' | 'blobs' | 'changeInFolder' | 'eventsAfter'>
  readonly workspaces: Workspaces
  readonly cleaner: EmptySessionParts['cleaner']
  readonly log: (sessionId: SessionId) => Pick<EventLog, 'read'>
  /** Returns the message with its slash command expanded and with the text of the resources that it mentions. */
  readonly said: (sessionId: SessionId, folder: string, said: PersonMessage, provider: ProviderId) => Promise<PersonMessage>
  /** Why the store could not be opened; sessions are then only in memory. Null if it is open. */
  readonly unsaved: Trouble | null
  /** The configuration of a new session, for everything that the request does not set. */
  defaults(asked: Partial<SessionConfigured>): SessionConfigured
}

export function sessionsHandlers(parts: SessionHandlerParts): AppHandlers['sessions'] {
  const { sessions, unsaved, starter, notebook, pictures, seen, dismissed, flags, blobs, said, defaults } = parts
  const withOpenComments = createOpenComments(notebook)
  const on = (sessionId: SessionId, act: (session: OpenedSession) => Promise<Done>): Promise<Done> =>
    unlessStorageFails<Done>(async () => {
      const opened = await sessions.open(sessionId)
      return opened.ok ? act(opened.value) : { ok: false, trouble: opened.failure }
    }, refused)
  return {
    list: (_, { signal }) =>
      unlessStreamFails(withoutHistory(sessions.list(signal), unsaved), (unreadable) => ({ kind: 'all', sessions: [], unreadable })),
    seen: (_, { signal }) => latestValue(seen.all, seen.onRaised, signal),
    see: raise(seen),
    dismissed: (_, { signal }) => latestValue(dismissed.all, dismissed.onRaised, signal),
    dismiss: raise(dismissed),
    flags: (_, { signal }) => unlessStreamFails(latestValue(flags.all, flags.onChanged, signal), () => NO_FLAGS),
    flag: ({ sessionId, flag, isOn }) =>
      unlessStorageFails<Done>(() => retryWhileLocked(() => flagged(flags, sessionId, flag, isOn)), refused),
    rename: ({ sessionId, name }) => on(sessionId, (session) => session.rename(name)),
    create: ({ folder, isBeside = false, agent, ...asked }) =>
      unlessStorageFails<Created>(async () => {
        const where = agent !== undefined ? besideWith(agent) : isBeside ? { where: BESIDE } : {}
        return created(await starter.start(folder, { ...withoutUndefined(asked), ...where }))
      }, refused),
    discardEmpty: ({ sessionId }) => unlessStorageFails<Done>(() => deleteEmptySession(parts, sessionId), refused),
    movedFolder: ({ sessionId }) =>
      unlessStorageFails(
        () => movedFolder(parts, sessionId),
        () => ({ files: [], own: null, leftOut: [] }),
      ),
    takeOver: ({ sessionId }) =>
      unlessStorageFails<Done>(async () => {
        const taken = await takeOver(parts, sessionId)
        return taken.ok ? { ok: true } : refused(taken.failure)
      }, refused),
    bringIn: ({ sessionId }, { signal }) =>
      unlessStorageFails<BroughtIn>(async () => {
        const asked = await bringIn(parts, sessionId, signal)
        return asked.ok ? { ok: true, sessionId: asked.value.session.sessionId, asks: asked.value.asks } : refused(asked.failure)
      }, refused),
    rehearse: () => unlessStorageFails<Created>(async () => created(await starter.rehearse()), refused),
    async *open({ sessionId, cursor }, { signal }) {
      const opened = await sessions.open(sessionId)
      if (opened.ok) yield* unlessStreamFails(opened.value.watch(cursor, signal), resetBy)
      // While the app closes, nothing is sent, because the window's content is still correct.
      else if (opened.failure.code !== 'closing') yield resetBy(opened.failure)
    },
    page: ({ sessionId, before, limit }) =>
      unlessStorageFails(
        () => sessions.page(sessionId, before, limit),
        () => ({ firstItem: before, items: [] }),
      ),
    send({ sessionId, text, pictures: hashes = [], comments = [], commentsOf = sessionId, ...sent }) {
      const found = pictures.find(hashes)
      if (!found.ok) return { ok: false, trouble: found.failure }
      return on(sessionId, async (session) => {
        const { cwd, config } = session.record.state()
        const typed = await said(sessionId, cwd, { text, pictures: found.value }, config.provider)
        return withOpenComments(commentsOf, comments, (open) => {
          // The second press of “Send now” arrives while its comment is being sent, or after that.
          const isEmpty = comments.length > 0 && open.length === 0 && hashes.length === 0 && text.trim() === ''
          return isEmpty ? Promise.resolve({ ok: true }) : session.send({ ...sent, ...withComments(typed, open) })
        })
      })
    },
    ...pictureHandlers(parts),
    withdraw: ({ sessionId, inputId }) => on(sessionId, (session) => session.withdraw(inputId)),
    arrange: ({ sessionId, inputIds }) => on(sessionId, (session) => session.arrange(inputIds)),
    stop: ({ sessionId }) => on(sessionId, (session) => session.stop()),
    async contextParts({ sessionId }) {
      const opened = await sessions.open(sessionId)
      if (!opened.ok) return []
      const { record } = opened.value
      return unlessStorageFails(
        async () => {
          await record.remember()
          return contextPartsOf(record, blobs)
        },
        () => [],
      )
    },
    compact: ({ sessionId, instructions }) => on(sessionId, (session) => compacted(session, instructions)),
    undoCompaction: ({ sessionId }) => on(sessionId, (session) => session.undoCompaction()),
    fork: ({ sessionId, point }) =>
      unlessStorageFails<Created>(async () => created(await forked(sessions, flags, sessionId, point)), refused),
    goBack: ({ sessionId, point }) => on(sessionId, (session) => session.goBack(point)),
    retryNow: ({ sessionId }) => on(sessionId, (session) => session.retryNow()),
    resume: ({ sessionId }) => on(sessionId, (session) => session.resume()),
    configure: ({ sessionId, ...change }) =>
      on(sessionId, async (session) => {
        const meant = sessionConfigurationChange(session.record.state().config, withoutUndefined(change), defaults)
        return meant.ok ? session.configure(meant.value) : { ok: false, trouble: meant.failure }
      }),
  }
}

type PictureHandlers = Pick<AppHandlers['sessions'], 'keepPicture' | 'readAttachment' | 'picture' | 'resultPicture'>

/** Handlers for files that are attached to messages, and for pictures in messages and results. */
function pictureHandlers({ pictures, log }: Pick<SessionHandlerParts, 'pictures' | 'log'>): PictureHandlers {
  return {
    keepPicture({ data }) {
      const kept = pictures.keep(Buffer.from(data, 'base64'))
      return kept.ok ? { ok: true, picture: kept.value } : { ok: false, trouble: kept.failure }
    },
    async readAttachment({ name, data }) {
      const read = await attachedText(name, Buffer.from(data, 'base64'), new AbortController().signal)
      return read.ok ? { ok: true, text: read.value } : { ok: false, trouble: notAttached(name, read.failure) }
    },
    picture: ({ hash }) => pictures.read(hash),
    resultPicture: ({ sessionId, toolCallId, index }) =>
      unlessStorageFails(
        () => resultPicture(log(sessionId), toolCallId, index),
        () => null,
      ),
  }
}

/**
 * Calls `send` with those of the named review comments that have not been sent, and deletes them once they are in the log. A comment that
 * another request is sending is left out.
 */
function createOpenComments(notebook: ReviewNotebook) {
  const sending = new Set<string>()
  return async (sessionId: SessionId, ids: readonly string[], send: (open: readonly ReviewComment[]) => Promise<Done>): Promise<Done> => {
    if (ids.length === 0) return send([])
    const open = notebook.notes(sessionId).comments.filter(({ id }) => ids.includes(id) && !sending.has(id))
    for (const { id } of open) sending.add(id)
    try {
      const done = await send(open)
      if (done.ok) notebook.uncomment(sessionId, ids)
      return done
    } finally {
      for (const { id } of open) sending.delete(id)
    }
  }
}

/** A third-party agent compacts its own conversation, so it gets the command as a message. */
function compacted(session: OpenedSession, instructions: string): Promise<Done> {
  if (agentIdOf(session.record.state().config) === null) return session.compact(instructions)
  return session.send({ inputId: newId('in'), text: `/compact ${instructions}`.trim(), delivery: 'queue' })
}

const BESIDE = { kind: 'beside' } as const

type Created = { readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }

const resetBy = ({ what, todo }: Trouble): SessionStreamItem => ({ kind: 'reset', why: `${what} ${todo}` })

const notAttached = (name: string, why: string): Trouble => ({
  code: 'not_attached',
  what: `“${name}” was not added: it ${why}`,
  kept: 'Your message and everything that was already added to it are kept.',
  todo: 'Put the file into the project and mention it in the message, so that the agent can read it.',
})

const NO_FLAGS: SessionFlags = { pinned: [], archived: [], forks: {}, imported: {} }

function flagged(flags: FlaggedSessions, sessionId: SessionId, flag: SessionFlag, isOn: boolean): Done {
  flags.set(sessionId, flag, isOn)
  return { ok: true }
}

async function forked(
  sessions: Sessions,
  flags: FlaggedSessions,
  sessionId: SessionId,
  point: ConversationPoint,
): Promise<Result<OpenedSession, Trouble>> {
  const made = await sessions.fork(sessionId, point)
  flags.changed()
  return made
}

const raise =
  (marks: SessionCursors) =>
  ({ sessionId, cursor }: { readonly sessionId: SessionId; readonly cursor: number }): Done => {
    marks.raise(sessionId, cursor)
    return { ok: true }
  }

const refused = (trouble: Trouble) => ({ ok: false, trouble }) as const

function created(result: Result<OpenedSession, Trouble>): Created {
  return result.ok ? { ok: true, sessionId: result.value.sessionId } : { ok: false, trouble: result.failure }
}

/** Adds `unreadable` to the list of sessions: why the store could not be opened. The list then contains only the sessions of this run. */
async function* withoutHistory(list: AsyncIterable<SessionListItem>, unreadable: Trouble | null): AsyncGenerator<SessionListItem> {
  for await (const item of list) yield item.kind === 'all' ? { ...item, unreadable } : item
}

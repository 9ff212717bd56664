import { z } from 'zod'
import { BlobHash, SessionId, ToolCallId } from '../lib/ids.ts'
import { ConversationPoint } from '../session/conversation-move.ts'
import type { AnyEnvelope, ParentLink, SessionConfigured, Trouble } from '../session/events.ts'
import { MAX_COMMENTS, MAX_PICTURE_BYTES, MAX_PICTURES, type Picture } from '../session/content.ts'
import type { FailedCommand, Item, RunState, SessionState } from '../session/state.ts'
import type { TranscriptSource } from './transfer.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import { CourseName, Effort, Mode, ProviderName } from './setting-fields.ts'

/** The data of a session that the list shows without opening the session. */
export interface SessionSummary {
  readonly sessionId: SessionId
  readonly title: string
  /** Real path of the project folder. */
  readonly folder: string
  readonly config: SessionConfigured
  /** The link to the parent session. Null if the session is not a subagent's. */
  readonly parent: ParentLink | null
  readonly run: RunState
  readonly ended: SessionState['ended']
  /** Sequence number of the event that ended the newest turn. 0 if none has ended. */
  readonly turnEnd: number
  /** Whether the newest turn ended with a question to the user. */
  readonly asks: boolean
  /** What the session needs from the user, in words. Null if it needs nothing. */
  readonly need: string | null
  readonly failedCommand: FailedCommand | null
  readonly steps: number
  /** What a subagent has spent. Null for a user's session, because the session's own state contains what it has spent. */
  readonly spent: SpentSummary | null
  readonly startedAt: number
  /** Time of the last change in ms since 1970, only for display. Order sessions by `cursor`, because clocks may be set back. */
  readonly updatedAt: number
  /** Sequence number of the newest event. Greater than that of any session that changed earlier. */
  readonly cursor: number
  /** Whether a live process has claimed the session and runs it. */
  readonly running: boolean
}

export interface SpentSummary {
  /** Number of tokens in the subagent's requests and answers together. */
  readonly tokens: number
  /** Cost in US dollars. Null if no price is known. */
  readonly costUsd: number | null
  /** Number of answers that the subagent has given. */
  readonly answers: number
}

/** The session in which the user signs what is brought in. `asks`: whether there is anything to sign. */
export type BroughtIn =
  | { readonly ok: true; readonly sessionId: SessionId; readonly asks: boolean }
  | { readonly ok: false; readonly trouble: Trouble }

export type SessionListItem =
  /** `unreadable` is the reason why stored sessions are missing from `sessions`. Null if none are missing. */
  | { readonly kind: 'all'; readonly sessions: readonly SessionSummary[]; readonly unreadable: Trouble | null }
  | { readonly kind: 'changed'; readonly session: SessionSummary }
  | { readonly kind: 'removed'; readonly sessionId: SessionId }

/** Pinned sessions are listed first and cannot be deleted. Archived sessions are listed only on request. */
const SESSION_FLAGS = ['pinned', 'archived'] as const
export type SessionFlag = (typeof SESSION_FLAGS)[number]

/**
 * `forks` maps the id of each fork to the session from which the fork was made. `imported` maps the id of each imported session to the
 * program from which it comes.
 */
export interface SessionFlags {
  readonly pinned: readonly SessionId[]
  readonly archived: readonly SessionId[]
  readonly forks: Readonly<Record<string, SessionId>>
  readonly imported: Readonly<Record<string, TranscriptSource>>
}

/**
 * The stream begins with a `snapshot` (the state with its last page), followed by every later event, with live events in between. After a
 * `reset`, the window starts over with the next `snapshot`. If the stream ends after `reset`, there is no such session, and `why` is a
 * message for the user.
 */
export type SessionStreamItem =
  | { readonly kind: 'snapshot'; readonly state: SessionState }
  | { readonly kind: 'events'; readonly envelopes: readonly AnyEnvelope[] }
  | { readonly kind: 'reset'; readonly why: string }

/** The first request of a rehearsal. Any other request works too. */
export const REHEARSAL_TASK = 'A test fails: an invoice of 1 March is booked in February. Find out why and fix it, then run the tests.'

/**
 * The sources of the model's input: our prompt, the project's documents and memory, the tools, a compaction's summary, the user's messages,
 * the model's answers, files that the model read or searched, results of other steps.
 */
export type ContextPartName = 'prompt' | 'documents' | 'tools' | 'summary' | 'said' | 'answers' | 'files' | 'results'

export interface ContextPart {
  readonly part: ContextPartName
  /** Number of tokens estimated from characters. The proportions are right, but not the sum. */
  readonly tokens: number
}

/**
 * How a folder and the layer of a session differ. `files`: what has changed in the folder. `own`: how many files the session has changed, or
 * null if that is not known. `leftOut`: what else the session has changed, which is not brought in, as sentences.
 */
export interface MovedFolder {
  readonly files: readonly MovedFile[]
  readonly own: number | null
  readonly leftOut: readonly string[]
}

export interface MovedFile {
  /** Relative to the folder. */
  readonly path: string
  /** Whether the session has changed the file too. */
  readonly isInLayer: boolean
  /** When the file was written, in ms since 1970. Null if the file was deleted, and after the first 20 files. */
  readonly at: number | null
  /** The session that wrote this version. Null if no session did, and after the first 20 files. `step` is null for an undo. */
  readonly by: { readonly title: string; readonly step: number | null } | null
}

export type Done = { readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }

export type KeptPicture = { readonly ok: true; readonly picture: Picture } | { readonly ok: false; readonly trouble: Trouble }

export type PictureData = { readonly mediaType: Picture['mediaType']; readonly data: string } | null

/**
 * Maximum number of base64 characters. This is somewhat more than the largest allowed picture needs, so that a picture that is slightly too
 * large is refused with a clear message and not as invalid input.
 */
const MOST_BASE64 = MAX_PICTURE_BYTES * 2 - 500_000

const one = z.object({ sessionId: SessionId })
const upTo = one.extend({ cursor: z.number().int().nonnegative() })

export const sessionsApi = {
  list: stream({ input: z.object({}), item: items<SessionListItem>() }),
  /**
   * How far the user has seen each session: by session id, the session's `cursor` when the user last saw it. Sent again after each change
   * in this process.
   */
  seen: stream({ input: z.object({}), item: items<Readonly<Record<string, number>>>() }),
  /** Stores that the user has seen the session up to the event `cursor`, for all windows and across restarts. */
  see: command({ input: upTo, output: returns<Done>() }),
  /**
   * Sessions for which the user has dismissed the notice that a turn ended early: by session id, the newest event at the time of the
   * dismissal. Sent again after each change in this process.
   */
  dismissed: stream({ input: z.object({}), item: items<Readonly<Record<string, number>>>() }),
  /**
   * Stores that the user has dismissed the notice about the early end of the session's turn at the event `cursor`, for all windows and
   * across restarts.
   */
  dismiss: command({ input: upTo, output: returns<Done>() }),
  /** Which sessions are pinned, archived, forks or imported. Sent again after each change in this process. */
  flags: stream({ input: z.object({}), item: items<SessionFlags>() }),
  flag: command({ input: one.extend({ flag: z.enum(SESSION_FLAGS), isOn: z.boolean() }), output: returns<Done>() }),
  /** Renames the session. An empty name restores the title made from its first request. */
  rename: command({ input: one.extend({ name: z.string().max(2_000) }), output: returns<Done>() }),
  /** Creates a session. The folder must be trusted. No request is sent to the model before the first `send`. */
  create: command({
    input: z.object({
      folder: z.string().min(1).max(4096),
      provider: ProviderName.optional(),
      model: z.string().max(200).optional(),
      mode: Mode.optional(),
      /** Whether the session works in a layer beside the folder. If left out, it works in the folder itself. */
      isBeside: z.boolean().optional(),
      /** The id of the third-party agent that works in the session's layer. If left out, Countersign's own agent works. */
      agent: z.string().min(1).max(40).optional(),
    }),
    output: returns<{ readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /**
   * Asks for a signature for what a session beside the folder has changed in its layer. The request is in the session that is returned.
   * Fails while the session is working.
   */
  bringIn: command({ input: one, output: returns<BroughtIn>() }),
  /** Deletes a session without messages. Fails for any other session. */
  discardEmpty: command({ input: one, output: returns<Done>() }),
  /** Which files have changed in the folder since the layer of a session beside it was made, or took the folder's changes over. */
  movedFolder: command({ input: one, output: returns<MovedFolder>() }),
  /** Merges what has changed in the folder into the layer of a session. Lines in conflict stay as they are in the layer. */
  takeOver: command({ input: one, output: returns<Done>() }),
  /** Makes a temporary copy of the sample project, and creates a session with the scripted model in it. */
  rehearse: command({
    input: z.object({}),
    output: returns<{ readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** `cursor`: the client has everything up to this event and wants only later events. If it is null, a snapshot comes first. */
  open: stream({ input: one.extend({ cursor: z.number().int().nonnegative().nullable() }), item: items<SessionStreamItem>() }),
  /**
   * The ledger's entries before `before` (an index in the complete ledger), at most `limit`, oldest first. Empty for an unknown session,
   * which `open` already reports as an error.
   */
  page: command({
    input: one.extend({ before: z.number().int().nonnegative(), limit: z.number().int().min(1).max(500) }),
    output: returns<{ readonly firstItem: number; readonly items: readonly Item[] }>(),
  }),
  /**
   * Sends a message. `steer` reaches the running turn after its round, `queue` waits for the end of the turn. If no turn is running, both
   * start one. `pictures` are hashes from `keepPicture`. With pictures or comments, the text may be empty.
   */
  send: command({
    input: one
      .extend({
        inputId: z.string().min(1).max(80),
        text: z.string().max(1_000_000),
        pictures: z.array(BlobHash).max(MAX_PICTURES).optional(),
        /** Ids of review comments that are sent with the message, with the lines that they are about. */
        comments: z.array(z.string().max(80)).max(MAX_COMMENTS).optional(),
        /** The session whose review has these comments. If absent, this session. */
        commentsOf: SessionId.optional(),
        delivery: z.enum(['steer', 'queue']),
      })
      .refine(({ text, pictures = [], comments = [] }) => text !== '' || pictures.length > 0 || comments.length > 0, {
        path: ['text'],
        message: 'There is nothing to send.',
      }),
    output: returns<Done>(),
  }),
  /**
   * Stores a picture for a message that is still being written, and answers when it is stored. Its bytes must be PNG, JPEG, GIF or WebP,
   * at most `MAX_PICTURE_BYTES`. `data` is base64. Each picture is sent in its own frame, because frames have a size limit.
   */
  keepPicture: command({ input: one.extend({ data: z.base64().min(1).max(MOST_BASE64) }), output: returns<KeptPicture>() }),
  /**
   * Extracts the text of a file (text, PDF or notebook) for a message that is still being written. Nothing is stored. `data` is base64,
   * with the same limit as a picture's.
   */
  readAttachment: command({
    input: one.extend({ name: z.string().min(1).max(255), data: z.base64().min(1).max(MOST_BASE64) }),
    output: returns<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /**
   * The bytes of a picture as base64. Null if there is no such picture. No further permission is checked, because only a client that
   * received an event with this hash can know the hash.
   */
  picture: command({ input: one.extend({ hash: BlobHash }), output: returns<PictureData>() }),
  /** A picture in the result of a call, by its index. Null if there is no such picture or it cannot be shown. */
  resultPicture: command({
    input: one.extend({ toolCallId: ToolCallId, index: z.number().int().min(0).max(10_000) }),
    output: returns<PictureData>(),
  }),
  /** Withdraws a waiting message. Fails if the message no longer waits. */
  withdraw: command({ input: one.extend({ inputId: z.string().min(1).max(80) }), output: returns<Done>() }),
  /**
   * Sets the order of the messages that wait for the running turn. Messages that are not listed follow. Messages that the agent has
   * received are ignored. Fails while no turn is running.
   */
  arrange: command({ input: one.extend({ inputIds: z.array(z.string().min(1).max(80)).min(1).max(1000) }), output: returns<Done>() }),
  /** Stops the turn: cancels the request, stops the command, and withdraws waiting requests. */
  stop: command({ input: one, output: returns<Done>() }),
  /** Continues, from the log and without a new message, a turn that was interrupted or stopped, reached a limit, or failed. */
  resume: command({ input: one, output: returns<Done>() }),
  /** Retries a failed request now, while its retry is pending (RETRY_SCHEDULED). `stop` cancels the pending retry and the turn. */
  retryNow: command({ input: one, output: returns<Done>() }),
  /** The contents of the model's context window, in the order of the request. Empty before the first request. */
  contextParts: command({ input: one, output: returns<readonly ContextPart[]>() }),
  /** Compacts the conversation now or, while a turn runs, before its next request. `instructions` say what the summary should keep. */
  compact: command({ input: one.extend({ instructions: z.string().max(4000) }), output: returns<Done>() }),
  /** Undoes the newest compaction, while no turn runs. The model then gets the complete conversation again. */
  undoCompaction: command({ input: one, output: returns<Done>() }),
  /**
   * Moves the conversation to one of its points, while no turn runs. The model then gets only the remaining part. The removed part stays in
   * the history, and moving to the point before this move restores it. Files are not changed.
   */
  goBack: command({ input: one.extend({ point: ConversationPoint }), output: returns<Done>() }),
  /** Creates a session that continues from `point` of this session. This session does not change. Both sessions work in the same folder. */
  fork: command({
    input: one.extend({ point: ConversationPoint }),
    output: returns<{ readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  configure: command({
    input: one.extend({
      provider: ProviderName.optional(),
      model: z.string().max(200).optional(),
      mode: Mode.optional(),
      course: CourseName.optional(),
      effort: Effort.optional(),
      baseUrl: z.string().max(500).nullable().optional(),
    }),
    output: returns<Done>(),
  }),
}

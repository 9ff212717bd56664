import { z } from 'zod'
import { BlobHash, SessionId, ToolCallId } from '../lib/ids.ts'
import { ConversationPoint } from '../session/conversation-move.ts'
import type { AnyEnvelope, ParentLink, SessionConfigured, Trouble } from '../session/events.ts'
import { MAX_COMMENTS, MAX_PICTURE_BYTES, MAX_PICTURES, type Picture } from '../session/content.ts'
import type { Item, RunState, SessionState } from '../session/state.ts'
import type { TranscriptSource } from './transfer.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import { CourseName, Effort, Mode, ProviderName } from './setting-fields.ts'

/** What the list shows of a session without opening it. */
export interface SessionSummary {
  readonly sessionId: SessionId
  readonly title: string
  /** Real path of the project folder. */
  readonly folder: string
  readonly config: SessionConfigured
  /** Null: a person's session, not a subagent's. */
  readonly parent: ParentLink | null
  readonly run: RunState
  readonly ended: SessionState['ended']
  /** Seq of the event that ended its newest turn; 0: none has ended. */
  readonly turnEnd: number
  /** That turn ended with a question to the person. */
  readonly asks: boolean
  /** What it needs from its person, in words; null: nothing. */
  readonly need: string | null
  readonly steps: number
  /** What a subagent has spent; null for a person's session, whose own state has it. */
  readonly spent: SpentSummary | null
  readonly startedAt: number
  /** Last change in ms since 1970, for display only. Order by `cursor`, because clocks are set back. */
  readonly updatedAt: number
  /** Seq of its newest event; greater than that of any session that changed earlier. */
  readonly cursor: number
  /** A live process has claimed it: it runs there. */
  readonly running: boolean
}

export interface SpentSummary {
  /** Of its requests and answers together. */
  readonly tokens: number
  /** US dollars; null: no known price. */
  readonly costUsd: number | null
  /** Answers it has given. */
  readonly answers: number
}

export type SessionListItem =
  /** `unreadable`: why the stored sessions are missing from `sessions`; null: all of them are there. */
  | { readonly kind: 'all'; readonly sessions: readonly SessionSummary[]; readonly unreadable: Trouble | null }
  | { readonly kind: 'changed'; readonly session: SessionSummary }
  | { readonly kind: 'removed'; readonly sessionId: SessionId }

/** Pinned sessions are listed first and cannot be deleted; archived ones are listed only on request. */
const SESSION_FLAGS = ['pinned', 'archived'] as const
export type SessionFlag = (typeof SESSION_FLAGS)[number]

/** `forks`: the session that each fork was made from, by the fork's id. `imported`: the program that each imported session comes from. */
export interface SessionFlags {
  readonly pinned: readonly SessionId[]
  readonly archived: readonly SessionId[]
  readonly forks: Readonly<Record<string, SessionId>>
  readonly imported: Readonly<Record<string, TranscriptSource>>
}

/**
 * First `snapshot` (the state and its last page), then every later event, with live ones in between. `reset`: start over with the next
 * `snapshot`. A stream that ends after `reset` has nothing to show: there is no such session, and `why` tells the person.
 */
export type SessionStreamItem =
  | { readonly kind: 'snapshot'; readonly state: SessionState }
  | { readonly kind: 'events'; readonly envelopes: readonly AnyEnvelope[] }
  | { readonly kind: 'reset'; readonly why: string }

/** The first request of a rehearsal; any other works too. */
export const REHEARSAL_TASK = 'A test fails: an invoice of 1 March is booked in February. Find out why and fix it, then run the tests.'

/**
 * Where the model's input comes from: our prompt, the project's documents and memory, the tools, a compaction's summary, the person's
 * messages, the model's answers, files it read or searched, results of other steps.
 */
export type ContextPartName = 'prompt' | 'documents' | 'tools' | 'summary' | 'said' | 'answers' | 'files' | 'results'

export interface ContextPart {
  readonly part: ContextPartName
  /** Estimated from characters: right in proportion, not in sum. */
  readonly tokens: number
}

export type Done = { readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }

export type KeptPicture = { readonly ok: true; readonly picture: Picture } | { readonly ok: false; readonly trouble: Trouble }

export type PictureData = { readonly mediaType: Picture['mediaType']; readonly data: string } | null

/** Somewhat more than is allowed, so that a picture that is too large gets a clear message. */
const MOST_BASE64 = MAX_PICTURE_BYTES * 2 - 500_000

const one = z.object({ sessionId: SessionId })
const upTo = one.extend({ cursor: z.number().int().nonnegative() })

export const sessionsApi = {
  list: stream({ input: z.object({}), item: items<SessionListItem>() }),
  /** How far the person has seen each session (its `cursor` then, by session id); sent again after each change in this process. */
  seen: stream({ input: z.object({}), item: items<Readonly<Record<string, number>>>() }),
  /** The person has seen the session up to the event `cursor`. Kept for every window and every start. */
  see: command({ input: upTo, output: returns<Done>() }),
  /** Sessions whose early end the person has dismissed (the newest event then, by session id); sent again after each change in this process. */
  dismissed: stream({ input: z.object({}), item: items<Readonly<Record<string, number>>>() }),
  /** The person has dismissed the early end that the session has at the event `cursor`. Kept for every window and every start. */
  dismiss: command({ input: upTo, output: returns<Done>() }),
  /** Which sessions are pinned, archived or forks; sent again after each change in this process. */
  flags: stream({ input: z.object({}), item: items<SessionFlags>() }),
  flag: command({ input: one.extend({ flag: z.enum(SESSION_FLAGS), isOn: z.boolean() }), output: returns<Done>() }),
  /** Renames the session; empty: back to the title made from its first request. */
  rename: command({ input: one.extend({ name: z.string().max(2_000) }), output: returns<Done>() }),
  /** The folder must be trusted. No request is made before the first `send`. */
  create: command({
    input: z.object({
      folder: z.string().min(1).max(4096),
      provider: ProviderName.optional(),
      model: z.string().max(200).optional(),
      mode: Mode.optional(),
    }),
    output: returns<{ readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Makes a throw-away copy of the sample project and a session of the scripted model in it. */
  rehearse: command({
    input: z.object({}),
    output: returns<{ readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** `cursor`: the client has everything up to it and wants only later events; null: a snapshot first. */
  open: stream({ input: one.extend({ cursor: z.number().int().nonnegative().nullable() }), item: items<SessionStreamItem>() }),
  /**
   * The ledger's entries before `before` (an index in the whole ledger), at most `limit`, oldest first. Empty for an unknown session,
   * which `open` reports.
   */
  page: command({
    input: one.extend({ before: z.number().int().nonnegative(), limit: z.number().int().min(1).max(500) }),
    output: returns<{ readonly firstItem: number; readonly items: readonly Item[] }>(),
  }),
  /**
   * `steer` reaches the running turn after its round, `queue` comes after it; when no turn runs, both start one. `pictures`: hashes from
   * `keepPicture`; with pictures the text may be empty.
   */
  send: command({
    input: one
      .extend({
        inputId: z.string().min(1).max(80),
        text: z.string().max(1_000_000),
        pictures: z.array(BlobHash).max(MAX_PICTURES).optional(),
        /** Ids of review comments that go with it, with the lines that they are about. */
        comments: z.array(z.string().max(80)).max(MAX_COMMENTS).optional(),
        delivery: z.enum(['steer', 'queue']),
      })
      .refine(({ text, pictures = [], comments = [] }) => text !== '' || pictures.length > 0 || comments.length > 0, {
        path: ['text'],
        message: 'There is nothing to send.',
      }),
    output: returns<Done>(),
  }),
  /**
   * Stores a picture for a message that is still being written: PNG, JPEG, GIF or WebP by its bytes, at most `MAX_PICTURE_BYTES`. Answers
   * when it is stored. `data` is base64; each picture is its own frame, because frames have a size limit.
   */
  keepPicture: command({ input: one.extend({ data: z.base64().min(1).max(MOST_BASE64) }), output: returns<KeptPicture>() }),
  /**
   * The text of a file for a message that is still being written: of text, a PDF or a notebook. Nothing is stored. `data` is base64, with the
   * same limit as a picture's.
   */
  readAttachment: command({
    input: one.extend({ name: z.string().min(1).max(255), data: z.base64().min(1).max(MOST_BASE64) }),
    output: returns<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** The bytes of a picture as base64; null: no such picture. Only those who saw the event that names it know its hash. */
  picture: command({ input: one.extend({ hash: BlobHash }), output: returns<PictureData>() }),
  /** A picture that the result of a call shows, by its index among them; null: there is none, or it cannot be shown. */
  resultPicture: command({
    input: one.extend({ toolCallId: ToolCallId, index: z.number().int().min(0).max(10_000) }),
    output: returns<PictureData>(),
  }),
  /** Takes back a waiting message; fails if it no longer waits. */
  withdraw: command({ input: one.extend({ inputId: z.string().min(1).max(80) }), output: returns<Done>() }),
  /**
   * Sets the order of the messages that wait for the running turn. Messages not named follow; those the agent has received are ignored.
   * Fails while no turn runs.
   */
  arrange: command({ input: one.extend({ inputIds: z.array(z.string().min(1).max(80)).min(1).max(1000) }), output: returns<Done>() }),
  /** Ends the turn: cancels the request, ends the command, withdraws what waited. */
  stop: command({ input: one, output: returns<Done>() }),
  /** Continues a turn that was interrupted or failed, from the log, without a new message. */
  resume: command({ input: one, output: returns<Done>() }),
  /** Retries a failed request now, while its retry is being waited for (RETRY_SCHEDULED). `stop` ends the wait and the turn. */
  retryNow: command({ input: one, output: returns<Done>() }),
  /** What fills the model's context window, in the order of the request; empty before the first one. */
  contextParts: command({ input: one, output: returns<readonly ContextPart[]>() }),
  /** Compacts the conversation now or, while a turn runs, before its next request. `instructions`: what the summary should keep. */
  compact: command({ input: one.extend({ instructions: z.string().max(4000) }), output: returns<Done>() }),
  /** Undoes the newest compaction, while no turn runs: the model gets the whole conversation again. */
  undoCompaction: command({ input: one, output: returns<Done>() }),
  /**
   * Takes the conversation to another point of it, while no turn runs: the model gets only what remains. The rest stays in the history, and
   * going to before the move brings the messages back. Files stay as they are.
   */
  goBack: command({ input: one.extend({ point: ConversationPoint }), output: returns<Done>() }),
  /** A new session that continues from `point` of this one; this one stays as it is. Both work in the same folder. */
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

import { z } from 'zod'
import { BlobHash, SessionId } from '../lib/ids.ts'
import type { AnyEnvelope, ParentLink, SessionConfigured, Trouble } from '../session/events.ts'
import { MAX_PICTURE_BYTES, MAX_PICTURES, type Picture } from '../session/picture.ts'
import type { Item, RunState, SessionState } from '../session/state.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import { Effort, Mode, ProviderName } from './config-names.ts'

/** What the list shows of a session, without opening it. */
export interface SessionSummary {
  readonly sessionId: SessionId
  readonly title: string
  /** Real path of the project folder. */
  readonly folder: string
  readonly config: SessionConfigured
  /** Null: a person's session, no subagent's. */
  readonly parent: ParentLink | null
  readonly run: RunState
  readonly ended: SessionState['ended']
  /** Seq of the event that ended its newest turn; 0: none has ended. */
  readonly turnEnd: number
  /** That turn ended with a question to the person. */
  readonly asks: boolean
  /** What it needs from its person, in words; null when nothing. */
  readonly need: string | null
  readonly steps: number
  /** What a subagent has used up of its lease; null of a person's session, whose own state tells. */
  readonly spent: SpentSummary | null
  readonly startedAt: number
  /** When it changed last, ms since 1970: to be shown. What came before what is told by `cursor`: clocks are set back (fault 52). */
  readonly updatedAt: number
  /** Seq of its newest event, which is greater than that of any session that changed before. */
  readonly cursor: number
  /** Some live process has claimed it: it runs there. */
  readonly running: boolean
}

export interface SpentSummary {
  /** Those of its requests and answers together. */
  readonly tokens: number
  /** US dollars; null where no price is known. */
  readonly costUsd: number | null
  /** Answers that it has given. */
  readonly answers: number
}

export type SessionListItem =
  | { readonly kind: 'all'; readonly sessions: readonly SessionSummary[] }
  | { readonly kind: 'changed'; readonly session: SessionSummary }

/**
 * First `snapshot` (the projection and its last page), then every event after its cursor, live ones in between. `reset`: begin anew, with the
 * `snapshot` that follows. A stream that ends after a `reset` has nothing to show: there is no such session, and `why` says so to the person.
 */
export type SessionStreamItem =
  | { readonly kind: 'snapshot'; readonly state: SessionState }
  | { readonly kind: 'events'; readonly envelopes: readonly AnyEnvelope[] }
  | { readonly kind: 'reset'; readonly why: string }

/** What the person asks first in a rehearsal; any other request works as well. */
export const REHEARSAL_TASK = 'A test fails: an invoice of 1 March is booked in February. Find out why and mend it, then run the tests.'

/**
 * Where what the model gets comes from: our prompt, the project's documents and memory, the tools, a compaction's summary, what the person said,
 * what the model answered, files that were read or searched, results of other steps.
 */
export type ContextPartName = 'prompt' | 'documents' | 'tools' | 'summary' | 'said' | 'answers' | 'files' | 'results'

export interface ContextPart {
  readonly part: ContextPartName
  /** Estimated from characters (S-32): right among each other, not in sum. */
  readonly tokens: number
}

export type Done = { readonly ok: true } | { readonly ok: false; readonly trouble: Trouble }

export type KeptPicture = { readonly ok: true; readonly picture: Picture } | { readonly ok: false; readonly trouble: Trouble }

export type PictureData = { readonly mediaType: Picture['mediaType']; readonly data: string } | null

/** Somewhat more than may be kept, so that what is too large is refused in words. */
const MOST_BASE64 = MAX_PICTURE_BYTES * 2 - 500_000

const one = z.object({ sessionId: SessionId })
const upTo = one.extend({ cursor: z.number().int().nonnegative() })

export const sessionsApi = {
  list: stream({ input: z.object({}), item: items<SessionListItem>() }),
  /** How far the person has seen each session (its newest event then, by session id); sent again after each change in this process. */
  seen: stream({ input: z.object({}), item: items<Readonly<Record<string, number>>>() }),
  /** The person has seen the session up to the event `cursor`. Kept for every window and every start. */
  see: command({ input: upTo, output: returns<Done>() }),
  /** Sessions whose early end the person has dismissed (the newest event then, by session id); sent again after each change in this process. */
  dismissed: stream({ input: z.object({}), item: items<Readonly<Record<string, number>>>() }),
  /** The person has dismissed the early end that the session has at the event `cursor`. Kept for every window and every start. */
  dismiss: command({ input: upTo, output: returns<Done>() }),
  /** Gives the session a name of the person's own; empty: the title made from its first request again. */
  rename: command({ input: one.extend({ name: z.string().max(2_000) }), output: returns<Done>() }),
  /** The folder must be trusted. Nothing is asked of a model before the first `send`. */
  create: command({
    input: z.object({
      folder: z.string().min(1).max(4096),
      provider: ProviderName.optional(),
      model: z.string().max(200).optional(),
      mode: Mode.optional(),
    }),
    output: returns<{ readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Makes a throw-away copy of the sample project and a session of the scripted model in it (DESIGN §9). */
  rehearse: command({
    input: z.object({}),
    output: returns<{ readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** `cursor`: the client has everything up to it and wants only what follows; null: a snapshot first. */
  open: stream({ input: one.extend({ cursor: z.number().int().nonnegative().nullable() }), item: items<SessionStreamItem>() }),
  /**
   * The ledger's entries before `before` (an index of the whole ledger), at most `limit` of them, oldest first. None of a session that is not
   * known: that it is not is told by `open`.
   */
  page: command({
    input: one.extend({ before: z.number().int().nonnegative(), limit: z.number().int().min(1).max(500) }),
    output: returns<{ readonly firstItem: number; readonly items: readonly Item[] }>(),
  }),
  /**
   * `steer` reaches the running turn after its round, `queue` comes after it; when nothing runs both are an ordinary request. `pictures`: by the
   * hashes that `keepPicture` gave; words may then be left out.
   */
  send: command({
    input: one
      .extend({
        inputId: z.string().min(1).max(80),
        text: z.string().max(1_000_000),
        pictures: z.array(BlobHash).max(MAX_PICTURES).optional(),
        delivery: z.enum(['steer', 'queue']),
      })
      .refine(({ text, pictures = [] }) => text !== '' || pictures.length > 0, { path: ['text'], message: 'There is nothing to send.' }),
    output: returns<Done>(),
  }),
  /**
   * Takes in a picture for a message that is still being written: PNG, JPEG, GIF or WebP by its bytes, at most `MAX_PICTURE_BYTES`. It is kept
   * before the answer comes. `data` is base64; a picture is a frame of its own, since a frame has a limit.
   */
  keepPicture: command({ input: one.extend({ data: z.base64().min(1).max(MOST_BASE64) }), output: returns<KeptPicture>() }),
  /** The bytes of a picture as base64; null: there is none of this hash. Its hash is known to nobody who has not seen the event that names it. */
  picture: command({ input: one.extend({ hash: BlobHash }), output: returns<PictureData>() }),
  /** Takes back a message that still waits; done when it was still waiting. */
  withdraw: command({ input: one.extend({ inputId: z.string().min(1).max(80) }), output: returns<Done>() }),
  /**
   * Puts the messages that wait for the running turn into this order: what is not named comes behind, what the agent has got meanwhile is left
   * out. Refused while no turn runs.
   */
  arrange: command({ input: one.extend({ inputIds: z.array(z.string().min(1).max(80)).min(1).max(1000) }), output: returns<Done>() }),
  /** Ends the turn: the request is cancelled, the command is ended, what waited is withdrawn. State IDLE. */
  stop: command({ input: one, output: returns<Done>() }),
  /** Goes on with a turn that was interrupted or failed, from the log, without a new message. */
  resume: command({ input: one, output: returns<Done>() }),
  /** Makes the next attempt of a request that failed now, while its retry is waited for (RETRY_SCHEDULED). `stop` ends the wait and the turn. */
  retryNow: command({ input: one, output: returns<Done>() }),
  /** What fills the model's window, in the order of the request; empty before the first one. */
  contextParts: command({ input: one, output: returns<readonly ContextPart[]>() }),
  /** Undoes the newest compaction, while no turn runs: the model gets the whole conversation again. */
  undoCompaction: command({ input: one, output: returns<Done>() }),
  configure: command({
    input: one.extend({
      provider: ProviderName.optional(),
      model: z.string().max(200).optional(),
      mode: Mode.optional(),
      effort: Effort.optional(),
      baseUrl: z.string().max(500).nullable().optional(),
    }),
    output: returns<Done>(),
  }),
}

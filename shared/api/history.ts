import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import type { RunState } from '../session/state.ts'
import { command, returns } from '../wire/contract.ts'

/**
 * Where a search found its text in a session: in a user's message, an answer, a plan, a file change, a proposed change that was refused, a
 * command line, or an output.
 */
export const FOUND_IN = ['you', 'answer', 'plan', 'diff', 'refused', 'run', 'output'] as const
export type FoundIn = (typeof FOUND_IN)[number]

/** The state of a session. An archived session is only `archived`, whatever else it is doing. */
export const SESSION_STATES = ['needs', 'running', 'done', 'failed', 'archived'] as const
export type HistoryState = (typeof SESSION_STATES)[number]

export interface HistoryHit {
  /** Sequence number of the event that contains the text. */
  readonly seq: number
  readonly sessionId: SessionId
  /** Ms since 1970. */
  readonly at: number
  /** Index of the entry in the complete ledger. Null if there is none. */
  readonly item: number | null
  /** Number of the step that the text belongs to, or of the newest step before it. 0 if there is none. */
  readonly step: number
  readonly foundIn: FoundIn
  /** Some text around the first match, at most 300 characters. Text and matches alternate, so every second part is a match. */
  readonly parts: readonly string[]
  /** Path of the file of the hit, relative to the folder. Null if there is none. */
  readonly path: string | null
}

export interface HistoryAnswer {
  /** At most `MAX_HITS` hits. */
  readonly hits: readonly HistoryHit[]
  /** Number of all hits by session. The sessions are in the order of their first hit. */
  readonly bySession: Readonly<Record<SessionId, number>>
  /**
   * Numbers of hits by place, folder, model, state and day. The counts of a category ignore the filter on that category. Each count
   * therefore says how many hits there would be if its value were chosen.
   */
  readonly byPlace: Readonly<Record<FoundIn, number>>
  readonly byFolder: Readonly<Record<string, number>>
  readonly byModel: Readonly<Record<string, number>>
  readonly byState: Readonly<Record<HistoryState, number>>
  /** Hits by calendar day on this computer's clock, such as `2026-11-22`. */
  readonly byDay: Readonly<Record<string, number>>
  /** Number of all hits. If `isBound` is true, only this many of the newest hits were examined, and there are more. */
  readonly total: number
  readonly isBound: boolean
  /** Number of events whose text is too long and was only partly indexed. */
  readonly cut: number
  /** Number of events that are not in the index yet. */
  readonly behind: number
}

/** The calendar day of a time on this computer's clock: `2026-11-22`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Maximum number of hits in one answer. */
export const MAX_HITS = 200
/**
 * Minimum number of letters that at least one word of a search needs. Shorter words only narrow down the texts that longer words have
 * found.
 */
export const MIN_LETTERS = 3

/** The words of a search. "Quoted words" count as one word. Without the second quote, the phrase ends with the text. */
export function wordsOf(typed: string): readonly string[] {
  return [...typed.matchAll(/"([^"]+)"?|(\S+)/gu)]
    .map(([, phrase, word]) => (phrase ?? word ?? '').replaceAll('\0', ''))
    .filter((word) => word !== '')
}

/** Whether a word is long enough to be searched. */
export const isLongEnough = (word: string): boolean => [...word].length >= MIN_LETTERS

/** The filters of a search that is not narrowed down: all sessions and all places. */
export const NO_FILTERS = {
  foundIn: null,
  folder: null,
  model: null,
  state: null,
  since: null,
  until: null,
  sessionId: null,
  touched: '',
} as const

export const historyApi = {
  /**
   * Searches what was said, answered, run, changed, refused and printed in all sessions. A text must contain all words, anywhere and in any
   * order. "Quoted words" must occur exactly. Case is ignored. `touched` keeps only sessions that changed a file whose path contains this
   * text or, if it is a glob, whose path relative to the folder matches it.
   */
  search: command({
    input: z.object({
      words: z.string().max(500),
      foundIn: z.enum(FOUND_IN).nullable().default(null),
      folder: z.string().max(4096).nullable().default(null),
      /** Only sessions whose current model is this one. Null for all sessions. */
      model: z.string().max(200).nullable().default(null),
      state: z.enum(SESSION_STATES).nullable().default(null),
      /** Bounds in ms since 1970: from `since` on, and before `until`. */
      since: z.number().nullable().default(null),
      until: z.number().nullable().default(null),
      sessionId: SessionId.nullable().default(null),
      touched: z.string().max(500).default(''),
      order: z.enum(['newest', 'best']).default('newest'),
      /**
       * Maximum number of hits per session. The hits of each session are then listed together. If null, all hits are listed, in one common
       * order.
       */
      perSession: z.number().int().positive().nullable().default(null),
    }),
    output: returns<{ readonly ok: true; readonly answer: HistoryAnswer } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
}

export type HistoryQuery = z.infer<(typeof historyApi)['search']['input']>

interface SessionFacts {
  readonly run: RunState
  readonly ended: string | null
  readonly isArchived: boolean
}

/** The state of a session, as the filters use it. */
export function historyState({ run, ended, isArchived }: SessionFacts): HistoryState {
  if (isArchived) return 'archived'
  if (run === 'AWAITING_INPUT') return 'needs'
  if (run === 'PROCESSING') return 'running'
  return ended === 'error' || ended === 'interrupted' ? 'failed' : 'done'
}

import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import type { RunState } from '../session/state.ts'
import { command, returns } from '../wire/contract.ts'

/** Where a text of a session was found: a person's message, an answer, a plan, a change of files, a command line, or an output. */
export const FOUND_IN = ['you', 'answer', 'plan', 'diff', 'run', 'output'] as const
export type FoundIn = (typeof FOUND_IN)[number]

/** What a session is doing. `archived` hides the others. */
export const SESSION_STATES = ['needs', 'running', 'done', 'failed', 'archived'] as const
export type HistoryState = (typeof SESSION_STATES)[number]

export interface HistoryHit {
  /** Of the event that holds the text. */
  readonly seq: number
  readonly sessionId: SessionId
  /** Ms since 1970. */
  readonly at: number
  /** Index of the entry in the whole ledger; null: it has none. */
  readonly item: number | null
  /** The step that it belongs to, or the newest one before it; 0: none. */
  readonly step: number
  readonly foundIn: FoundIn
  /** Some text around the first match, at most 300 characters; every second part is a match. */
  readonly parts: readonly string[]
  /** The file that it is about, from the folder; null: none. */
  readonly path: string | null
}

export interface HistoryAnswer {
  /** At most `MAX_HITS`. */
  readonly hits: readonly HistoryHit[]
  /** All hits by session, in the order of their first hit. */
  readonly bySession: Readonly<Record<SessionId, number>>
  /** Hits by place, folder, model, state and day, each without its own filter, so that they say what choosing it would show. */
  readonly byPlace: Readonly<Record<FoundIn, number>>
  readonly byFolder: Readonly<Record<string, number>>
  readonly byModel: Readonly<Record<string, number>>
  readonly byState: Readonly<Record<HistoryState, number>>
  /** By calendar day on this computer's clock, as `2026-11-22`. */
  readonly byDay: Readonly<Record<string, number>>
  /** All hits; `isBound`: there are more, only the newest so many were looked at. */
  readonly total: number
  readonly isBound: boolean
  /** Events that have a text which can be found only in part, because it is too long. */
  readonly cut: number
  /** Events that are not in the index yet. */
  readonly behind: number
}

/** A time as its calendar day on this computer's clock: `2026-11-22`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Hits of one answer. */
export const MAX_HITS = 200
/** Letters that a search needs: shorter words are compared only within what longer ones found. */
export const MIN_LETTERS = 3

export const historyApi = {
  /**
   * Searches what was said, answered, run, changed and printed in all sessions. Words must all occur, in any order, anywhere in a text;
   * "quoted words" as they are. No difference between upper and lower case. `touched`: only sessions that changed a file with this in its path, or, as a glob, with a path
   * from the folder that it matches.
   */
  search: command({
    input: z.object({
      words: z.string().max(500),
      foundIn: z.enum(FOUND_IN).nullable().default(null),
      folder: z.string().max(4096).nullable().default(null),
      /** The model that its session has now. */
      model: z.string().max(200).nullable().default(null),
      state: z.enum(SESSION_STATES).nullable().default(null),
      /** Ms since 1970: from `since`, and before `until`. */
      since: z.number().nullable().default(null),
      until: z.number().nullable().default(null),
      sessionId: SessionId.nullable().default(null),
      touched: z.string().max(500).default(''),
      order: z.enum(['newest', 'best']).default('newest'),
      /** So many hits of each session at most, with those of one session together. Null: all hits in one order. */
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

/** What a session is doing, as the filters have it. */
export function historyState({ run, ended, isArchived }: SessionFacts): HistoryState {
  if (isArchived) return 'archived'
  if (run === 'AWAITING_INPUT') return 'needs'
  if (run === 'PROCESSING') return 'running'
  return ended === 'error' || ended === 'interrupted' ? 'failed' : 'done'
}

import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { SessionSummary } from './sessions.ts'
import type { Trouble } from '../session/events.ts'
import type { ChangedFile } from '../session/fold/changed-files.ts'
import type { SessionState } from '../session/state.ts'
import { command, returns } from '../wire/contract.ts'

/** What happened at a stop of a replay. `asks`: the agent waited for the person; `done` and `failed`: a call ended. */
export type ReplayStopKind = 'you' | 'answer' | 'asks' | 'signed' | 'refused' | 'done' | 'failed' | 'undone' | 'trouble'

/** A moment of a session at which something on its screen changed. */
export interface ReplayStop {
  readonly seq: number
  /** Ms since 1970. */
  readonly at: number
  readonly kind: ReplayStopKind
  /** The step number so far. */
  readonly step: number
}

/** A turn, and what it waited for (ms). The model's part includes the app's own work. */
export interface ReplayTurn {
  readonly seq: number
  readonly at: number
  /** The person's message, at most 200 characters. */
  readonly title: string
  /** Step numbers before the turn and at its end. */
  readonly stepsBefore: number
  readonly stepsAfter: number
  /** Ms since 1970. */
  readonly endedAt: number
  readonly answers: number
  readonly personMs: number
  readonly modelMs: number
  readonly commandMs: number
}

/** What a subagent was doing from an event on, in any session. */
export interface AgentMoment extends Pick<SessionSummary, 'run' | 'ended' | 'need' | 'spent'> {
  readonly seq: number
  /** Ms since 1970. */
  readonly at: number
}

export interface AgentHistory {
  readonly sessionId: SessionId
  /** Oldest first; before the first one it had not been started. */
  readonly moments: readonly AgentMoment[]
}

export interface ReplayOutline {
  /** Of all subagents below the session. */
  readonly agents: readonly AgentHistory[]
  readonly stops: readonly ReplayStop[]
  readonly turns: readonly ReplayTurn[]
  /** Events of the session that could be read, and all of them. */
  readonly readable: number
  readonly events: number
}

/** The screen of a session after one of its events. */
export interface ReplayMoment {
  /** With the last `REPLAY_ITEMS` entries. */
  readonly state: SessionState
  /** What the session had changed by then. */
  readonly files: readonly ChangedFile[]
}

/** Entries of the ledger in one moment: as many as a window can show at once without a long frame. */
export const REPLAY_ITEMS = 300

export type ReplayAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble }

export const replayApi = {
  /** The stops and turns of a stored session. Changes nothing; works offline. */
  outline: command({ input: z.object({ sessionId: SessionId }), output: returns<ReplayAnswer<ReplayOutline>>() }),
  /** A session as it was after the event `seq`. */
  moment: command({
    input: z.object({ sessionId: SessionId, seq: z.number().int().nonnegative() }),
    output: returns<ReplayAnswer<ReplayMoment>>(),
  }),
}

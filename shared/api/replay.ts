import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { SessionSummary } from './sessions.ts'
import type { Trouble } from '../session/events.ts'
import type { ChangedFile } from '../session/fold/changed-files.ts'
import type { SessionState } from '../session/state.ts'
import { command, returns } from '../wire/contract.ts'

/** What happened at a stop of a replay. `asks`: the agent waited for the user. `done` and `failed`: a call ended. */
export type ReplayStopKind = 'you' | 'answer' | 'asks' | 'signed' | 'refused' | 'done' | 'failed' | 'undone' | 'trouble'

/** A moment of a session at which its screen changed. */
export interface ReplayStop {
  readonly seq: number
  /** Ms since 1970. */
  readonly at: number
  readonly kind: ReplayStopKind
  /** The number of the newest step at this moment. */
  readonly step: number
}

/** A turn and the durations of its waits in ms. The model's part includes the app's own work. */
export interface ReplayTurn {
  readonly seq: number
  readonly at: number
  /** The user's message, at most 200 characters. */
  readonly title: string
  /** Step number before the turn. The next field is the step number at its end. */
  readonly stepsBefore: number
  readonly stepsAfter: number
  /** How long the turn ran, including its waits. The time between the end of the turn and its resumption or undo is not included. */
  readonly tookMs: number
  readonly answers: number
  readonly personMs: number
  readonly modelMs: number
  /** Time spent on steps that ran for real and on commands that ran in a copy, in ms. */
  readonly commandMs: number
}

/**
 * The state of a subagent from the event `seq` of its session until its next `AgentMoment`. `seq` is global, so it can be compared with the
 * events of other sessions.
 */
export interface AgentMoment extends Pick<SessionSummary, 'run' | 'ended' | 'need' | 'spent'> {
  readonly seq: number
  /** Ms since 1970. */
  readonly at: number
}

export interface AgentHistory {
  readonly sessionId: SessionId
  /** Oldest first. Before the first of these moments, the subagent had not been started. */
  readonly moments: readonly AgentMoment[]
}

export interface ReplayOutline {
  /** The history of all subagents below the session. */
  readonly agents: readonly AgentHistory[]
  readonly stops: readonly ReplayStop[]
  readonly turns: readonly ReplayTurn[]
  /** Number of the session's events that could be read. The next field is the number of all events. */
  readonly readable: number
  readonly events: number
}

/** The state of a session's screen after one of its events. */
export interface ReplayMoment {
  /** The state with the last `REPLAY_ITEMS` entries. */
  readonly state: SessionState
  /** The files that the session had changed up to this moment. */
  readonly files: readonly ChangedFile[]
}

/** Maximum number of ledger entries in one moment. A window can show this many at once without a noticeable pause. */
export const REPLAY_ITEMS = 300

export type ReplayAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble }

export const replayApi = {
  /** The stops and turns of a stored session. Changes nothing and works offline. */
  outline: command({ input: z.object({ sessionId: SessionId }), output: returns<ReplayAnswer<ReplayOutline>>() }),
  /** The state of a session after the event `seq`. */
  moment: command({
    input: z.object({ sessionId: SessionId, seq: z.number().int().nonnegative() }),
    output: returns<ReplayAnswer<ReplayMoment>>(),
  }),
}

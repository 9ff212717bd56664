import type { Effect } from '../../shared/session/effects.ts'
import type { RunState, SessionState } from '../../shared/session/state.ts'
import type { AgentError } from './agent-error.ts'
import type { HostEnvironment } from './environments/environment-types.ts'
import type { SessionChange, SessionConfig } from './session-config.ts'
import type { StampedEvent } from './session-events.ts'
import type { ToolRegistry } from './tools/tool-types.ts'
import type { Turn } from './turns.ts'

/** A call that waits for a signature, and exactly what it would do. */
export interface ApprovalRequest {
  readonly id: string
  /** The session that asks: the host's own, or a subagent of it. */
  readonly sessionId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly args: Record<string, unknown>
  readonly effects: ReadonlyArray<Effect>
  /** Why the policy asks, as a sentence. */
  readonly reason: string
  /** It cannot be undone. */
  readonly destructive: boolean
}

export type ApprovalAnswer = 'sign' | 'refuse' | { readonly refuse: string }

/** Asked for one request after the other. `later`: the request waits for `session.answer`, in this process or another. */
export type ApprovalHandler = (request: ApprovalRequest) => Promise<ApprovalAnswer | 'later'> | ApprovalAnswer | 'later'

/** How a request came to its end, or to its next stop. Failures are data here; only wrong use rejects. */
export interface TurnResult {
  /** `waiting`: for the answer to one of `session.requests()`, given by `session.answer`. */
  readonly ended: NonNullable<SessionState['ended']> | 'waiting'
  /** The text of the newest answer. */
  readonly text: string
  /** Why it is neither `completed` nor `waiting`, where there is a reason. */
  readonly error: AgentError | null
}

/** What is said: words, or words with pictures (the bytes of PNG, JPEG, GIF or WebP files, at most 20). */
export type Message = string | { readonly text: string; readonly images: ReadonlyArray<Uint8Array> }

/** One conversation. Every method that returns a `TurnResult` resolves when nothing runs any more, or when a request waits that no handler answers. */
export interface AgentSession {
  readonly id: string
  readonly state: RunState
  /** A request; while one runs it comes after it. */
  submit(message: Message): Promise<TurnResult>
  /** The same, for a request that is meant to come after the running one. */
  followUp(message: Message): Promise<TurnResult>
  /** Words for the running turn: the model reads them after its round of calls. When nothing runs they go with the next request. */
  steer(text: string): void
  /** Ends the turn and what it runs; the session goes on with the next request. */
  stop(): Promise<void>
  /** Takes a turn up again that was interrupted, stopped, limited or failed. */
  resume(): Promise<TurnResult>
  /** What waits for a signature, that of subagents included. */
  requests(): readonly ApprovalRequest[]
  answer(requestId: string, answer: ApprovalAnswer): Promise<TurnResult>
  /** Counts from the next request to the model on. */
  configure(change: SessionChange): void
  /** Gives the model the whole conversation again, as before the newest compaction; while no turn runs. */
  undoCompaction(): void
  config(): SessionConfig
  /** The conversation, in turns. */
  history(): readonly Turn[]
  /**
   * What happened so far, then what happens, until the session is closed. `history: false`: only from now on. It begins to listen when it is
   * called; live events (text as it is written, output of commands) are told once.
   */
  events(options?: { readonly history?: boolean }): AsyncIterable<StampedEvent>
  /** Ends everything at once, then SESSION_END: state CLOSED. The log stays; `agent.openSession` opens it again. */
  abort(): Promise<void>
  /** As `abort`, said as an orderly end. */
  close(): Promise<void>
}

export interface SessionInfo {
  readonly id: string
  readonly title: string
  readonly state: RunState
  /** ms since the epoch. */
  readonly startedAt: number
}

/** An agent in one folder, with as many sessions as its host wants. */
export interface Agent {
  /** Built-in and own tools. A change counts for every session from its next request on. */
  readonly tools: ToolRegistry
  /** A new session. Nothing is asked of a model before the first `submit`. */
  createSession(change?: SessionChange): Promise<AgentSession>
  /** One of this data folder, also of an earlier process: what waited for a signature still waits. */
  openSession(id: string): Promise<AgentSession>
  /** A new session that starts with an existing conversation: turns, or the JSON lines of one session as text (`npm run agent -- --json`). */
  importSession(conversation: ReadonlyArray<Turn> | string, change?: SessionChange): Promise<AgentSession>
  /** Those in this folder, newest first, without subagents'. */
  sessions(): ReadonlyArray<SessionInfo>
  /** Counts from the next call on; null: this machine again. Its `workingDirectory()` must be the agent's. */
  useEnvironment(environment: HostEnvironment | null): Promise<void>
  /** Ends everything that runs. What waits for a signature goes on waiting where a `dataFolder` was given. */
  close(): Promise<void>
}

import type { Effect } from '../../shared/session/effects.ts'
import type { RunState, SessionState } from '../../shared/session/state.ts'
import type { AgentError } from './agent-error.ts'
import type { HostEnvironment } from './environments/environment-types.ts'
import type { SessionChange, SessionConfig } from './session-config.ts'
import type { StampedEvent } from './session-events.ts'
import type { ToolRegistry } from './tools/tool-types.ts'
import type { Turn } from './conversation-types.ts'

/** A call that waits for a signature, with its exact effects. */
export interface ApprovalRequest {
  readonly id: string
  /** The session that makes the request. It may be the session of a subagent. */
  readonly sessionId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly args: Record<string, unknown>
  readonly effects: ReadonlyArray<Effect>
  /** Why a signature is needed, as a sentence. */
  readonly reason: string
  /** Whether the call cannot be undone. */
  readonly destructive: boolean
}

export type ApprovalAnswer = 'sign' | 'refuse' | { readonly refuse: string }

/** Called for one request at a time. `later`: the request waits for `session.answer`, in this process or in another one. */
export type ApprovalHandler = (request: ApprovalRequest) => Promise<ApprovalAnswer | 'later'> | ApprovalAnswer | 'later'

/** How a turn ended or paused. Failures are returned as data. Only incorrect use rejects. */
export interface TurnResult {
  /** `waiting`: at least one request in `session.requests()` must be answered with `session.answer`. */
  readonly ended: NonNullable<SessionState['ended']> | 'waiting'
  /** The text of the newest answer. */
  readonly text: string
  /** Why `ended` is neither `completed` nor `waiting`, if a reason is known. */
  readonly error: AgentError | null
}

/** Text, or text with pictures (bytes of PNG, JPEG, GIF or WebP files, at most 20). */
export type Message = string | { readonly text: string; readonly images: ReadonlyArray<Uint8Array> }

/** One conversation. A method that returns a `TurnResult` resolves when nothing is running, or when a request waits for `answer`. */
export interface AgentSession {
  readonly id: string
  readonly state: RunState
  /** Sends a message. While a turn runs, it is queued. */
  submit(message: Message): Promise<TurnResult>
  /** The same as `submit`. Use it for a message that should be sent when the running turn has ended. */
  followUp(message: Message): Promise<TurnResult>
  /**
   * Sends a message to the running turn. The model gets it after the current tool calls. If no turn runs, it is sent with the next
   * message.
   */
  steer(text: string): void
  /** Stops the turn and everything it runs. The session continues with the next message or with `resume`. */
  stop(): Promise<void>
  /** Continues a turn that was interrupted or stopped, that reached a limit, or that failed. */
  resume(): Promise<TurnResult>
  /** Requests that wait for a signature, including those of subagents. */
  requests(): readonly ApprovalRequest[]
  answer(requestId: string, answer: ApprovalAnswer): Promise<TurnResult>
  /** Takes effect with the next request to the model. */
  configure(change: SessionChange): void
  /**
   * Replaces the older messages with a summary for the model, now or, while a turn runs, before its next request. `instructions`: what
   * the summary should keep. Throws if there is nothing to compact.
   */
  compact(instructions?: string): Promise<TurnResult>
  /** Undoes the newest compaction, so that the model gets the complete conversation again. Fails while a turn is running. */
  undoCompaction(): void
  config(): SessionConfig
  /** The conversation as turns. */
  history(): readonly Turn[]
  /**
   * Yields past events, then new ones, until the session is closed. With `history: false`, yields only new ones. Events are collected from
   * the moment of the call, even if reading starts later. Live events (text as it is written, output of commands) are not stored, so each
   * is delivered once.
   */
  events(options?: { readonly history?: boolean }): AsyncIterable<StampedEvent>
  /** Stops everything immediately, then emits SESSION_END (state CLOSED). The log is kept, and `agent.openSession` can open it again. */
  abort(): Promise<void>
  /** Ends everything as `abort` does, but the log records a regular end. */
  close(): Promise<void>
}

export interface SessionInfo {
  readonly id: string
  readonly title: string
  readonly state: RunState
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** An agent for one folder, with any number of sessions. */
export interface Agent {
  /** The built-in tools and the host's tools. A change takes effect in every session with its next request. */
  readonly tools: ToolRegistry
  /** Creates a session. No request is made before the first `submit`. */
  createSession(change?: SessionChange): Promise<AgentSession>
  /** Opens a session of this data folder, even from an earlier process. Requests that waited for a signature are still waiting. */
  openSession(id: string): Promise<AgentSession>
  /**
   * Creates a session that starts with an existing conversation: turns, or the JSON lines of one session as text
   * (`npm run agent -- --json`).
   */
  importSession(conversation: ReadonlyArray<Turn> | string, change?: SessionChange): Promise<AgentSession>
  /** The sessions in this folder, newest first, without those of subagents. */
  sessions(): ReadonlyArray<SessionInfo>
  /**
   * Replaces the environment, starting with the next call. If null, this machine is used again. The `workingDirectory()` of the environment
   * must be the agent's folder.
   */
  useEnvironment(environment: HostEnvironment | null): Promise<void>
  /** Ends everything that runs. If there is a `dataFolder`, requests that wait for a signature remain open. */
  close(): Promise<void>
}

import type { Effort } from './settings/effort.ts'
import type { ApprovalId, BlobHash, SessionId, ToolCallId } from '../lib/ids.ts'
import type { ApprovalMode } from './settings/approval-mode.ts'
import type { ContentPart, JsonValue, ModelContent, ProviderId, Usage } from './content.ts'
import type { Effect, MovedFrom } from './effects.ts'
import type { Picture } from './picture.ts'
import type { Todo } from './todos.ts'

export interface SessionConfigured {
  readonly provider: ProviderId
  readonly model: string
  readonly mode: ApprovalMode
  /** Null leaves the vendor's default (S-12). */
  readonly effort: Effort | null
  /** Null: the provider's usual address. */
  readonly baseUrl: string | null
}

/** Who answers, and how hard it thinks. */
export type Answering = Pick<SessionConfigured, 'provider' | 'model' | 'effort'>

/** An expected failure in the form in which the desk shows it: three lines, never a bare code (look §9). */
export interface Trouble {
  readonly code: string
  readonly what: string
  readonly kept: string
  readonly todo: string
}

/** Bytes of one file before and after a step; null means that there was or is no file. Bytes lie in the blob store. */
export interface FileChange {
  readonly path: string
  readonly shown: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  readonly beforeBytes: number
  readonly afterBytes: number
  /** POSIX permission bits before and after; null where there is no file. */
  readonly beforeMode: number | null
  readonly afterMode: number | null
  /** Of a file that was moved here what differs from there, and nothing of the place that it left. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** What was here before lay there, as another file of the same step says that went. Absent: it was not moved. */
  readonly movedFrom?: MovedFrom
}

/** A file of which nobody knows what a step made of it, and why, in the system's or the store's words. */
export interface UnreadFile {
  readonly path: string
  readonly shown: string
  readonly why: string
}

/** What a subagent may use up at most, checked before each of its requests; null: no limit of its own. */
export interface Lease {
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly minutes: number | null
  /** Answers (T-15). */
  readonly turns: number | null
}

/** What one turn may use up at most, its subagents' requests included; null: no limit. */
export type TurnLease = Pick<Lease, 'tokens' | 'costUsd'>

/** Where a subagent comes from. */
export interface ParentLink {
  readonly sessionId: SessionId
  readonly toolCallId: ToolCallId
  readonly agentType: string
  /** 1 for the child of a person's session. */
  readonly depth: number
  /** It was given reading tools only. */
  readonly readsOnly: boolean
  /** The only tools that it was given, by canonical name; left out: all that `readsOnly` leaves. */
  readonly tools?: readonly string[]
  /** The folder of the project that it works in (S-38), by its real path; left out: the project's own. */
  readonly workingDir?: string
  /** The form in which its answer is handed in; left out: free. */
  readonly answer?: 'plan'
  readonly lease: Lease
}

/** What a compaction did. Tokens are estimated where no service has counted them. */
export interface CompactionReceipt {
  /** `overflow`: the service had refused the conversation as too long. */
  readonly why: 'threshold' | 'overflow'
  /** Turns that the summary stands for. */
  readonly dropped: number
  /** Messages of the person among them that are kept word for word. */
  readonly pinned: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export interface BlobRef {
  readonly hash: BlobHash
  readonly bytes: number
}

export type Signer =
  | { readonly kind: 'person' }
  | { readonly kind: 'mode'; readonly mode: ApprovalMode }
  | { readonly kind: 'rule'; readonly rule: string }

/** A file as the agent saw it: the hash of its whole content and, where only a part was shown, which. */
export interface SeenFile {
  readonly path: string
  readonly hash: BlobHash
  readonly lines?: SeenLines
}

/** Lines from 1, both ends included, in order; `total`: those of the file, 0 where none was seen. */
export interface SeenLines {
  readonly ranges: readonly (readonly [number, number])[]
  readonly total: number
}

/** What a person says: words, pictures or both. `pictures` left out: none. */
export interface Said {
  readonly text: string
  readonly pictures?: readonly Picture[]
}

/** What was said, without what else is known of it. */
export function saidIn({ text, pictures }: Said): Said {
  return { text, ...(pictures && pictures.length > 0 && { pictures }) }
}

/** How a call ended. Only `done` counts as success for the model (T-04). */
export type CallOutcome = 'done' | 'failed' | 'refused' | 'barred' | 'interrupted' | 'stopped'

/** Kept in the log for ever. The seeds' kinds keep their names and payloads; the others follow the same style (DESIGN §3). */
export type DurableEvent =
  /** `parent`: this is a subagent's session; left out: a person's. */
  | ({
      readonly kind: 'SESSION_START'
      readonly sessionId: SessionId
      readonly cwd: string
      readonly parent?: ParentLink
    } & SessionConfigured)
  /** `was`: what answered until then, where it is another from here on; left out: nothing was answered yet, or it is the same. */
  | ({ readonly kind: 'SESSION_CONFIGURED'; readonly was?: Answering } & SessionConfigured)
  /** The person's own name for the session; empty: the title made from its first request again. Any process may append it. */
  | { readonly kind: 'SESSION_RENAMED'; readonly name: string }
  | { readonly kind: 'SESSION_END'; readonly sessionId: SessionId; readonly reason: 'closed' | 'aborted' }
  | ({ readonly kind: 'USER_INPUT'; readonly inputId: string; readonly delivery: 'prompt' | 'follow-up' } & Said)
  /** A message that waits: `steer` for the end of the running round, `queue` for the end of the turn. Any process may append it. */
  | ({ readonly kind: 'INPUT_QUEUED'; readonly inputId: string; readonly delivery: 'steer' | 'queue' } & Said)
  | { readonly kind: 'INPUT_WITHDRAWN'; readonly inputId: string }
  /** Somebody wants the turn to end; whoever runs the session obeys. Any process may append it. */
  | { readonly kind: 'STOP_REQUESTED' }
  /** Somebody does not want to wait for the next attempt of a request; whoever runs the session obeys. Any process may append it. */
  | { readonly kind: 'RETRY_REQUESTED' }
  /** Somebody wants a turn that was interrupted, stopped, limited or failed to go on; whoever runs the session obeys. Any process may append it. */
  | { readonly kind: 'RESUME_REQUESTED' }
  | ({ readonly kind: 'STEERING_INJECTED'; readonly inputId: string; readonly by: 'person' | 'loop' } & Said)
  | {
      readonly kind: 'PROCESSING_END'
      readonly reason: 'completed' | 'stopped' | 'limit' | 'error' | 'interrupted'
      /** The agent asked the person something by a call; left out: its last words tell. */
      readonly asks?: boolean
    }
  | { readonly kind: 'REQUEST_CONTEXT'; readonly system: BlobRef; readonly tools: BlobRef }
  | {
      readonly kind: 'ASSISTANT_TURN'
      readonly provider: ProviderId
      readonly model: string
      readonly parts: readonly ContentPart[]
      readonly stopReason: StopReason
      readonly responseId: string | null
      readonly usage: Usage
      /** False: the stream broke before its terminal event. The text is kept and shown; no call of it is executed, and it is not sent back. */
      readonly complete: boolean
    }
  | { readonly kind: 'USAGE'; readonly turn: Usage; readonly total: Usage; readonly costUsd: number | null }
  | {
      readonly kind: 'TOOL_CALL_START'
      readonly toolCallId: ToolCallId
      readonly toolName: string
      /** Parsed arguments; null when `argsText` is not a JSON object (the call then ends as failed). */
      readonly args: { readonly [key: string]: JsonValue } | null
    }
  | {
      readonly kind: 'APPROVAL_REQUESTED'
      readonly approvalId: ApprovalId
      readonly toolCallId: ToolCallId
      readonly toolName: string
      readonly effects: readonly Effect[]
      /** SHA-256 over exactly what would be executed or written; an answer must name it. */
      readonly hash: string
      /** Why the policy asks, as a sentence. */
      readonly reason: string
      /** Needs hold-to-sign. */
      readonly destructive: boolean
    }
  | {
      readonly kind: 'APPROVAL_ANSWERED'
      readonly approvalId: ApprovalId
      readonly toolCallId: ToolCallId
      readonly answer: ApprovalAnswer
    }
  | {
      readonly kind: 'TOOL_EXECUTION_START'
      readonly toolCallId: ToolCallId
      readonly signedBy: Signer
      readonly effects: readonly Effect[]
    }
  | {
      readonly kind: 'FILES_CHANGED'
      readonly toolCallId: ToolCallId
      readonly files: readonly FileChange[]
      /** Files that the step may have changed and whose bytes could not be taken or stored afterwards; absent: none. */
      readonly unread?: readonly UnreadFile[]
    }
  | {
      readonly kind: 'TOOL_CALL_END'
      readonly toolCallId: ToolCallId
      readonly toolName: string
      /** The whole output up to 64 KB (65 536 bytes of UTF-8); above that head and tail, and the whole in `outputBlob`. */
      readonly output: string
      readonly outputBlob: BlobRef | null
      /** What the model got; null: exactly `output`. */
      readonly modelText: ModelContent | null
      readonly isError: boolean
      readonly outcome: CallOutcome
      /** Milliseconds; null: the app ended while it ran, and nothing tells how long that was. */
      readonly durationMs: number | null
      /** Typed per tool in `shared/tools`. */
      readonly details: JsonValue
      /** What the agent has now seen of files (real paths): "changed since you read it" is judged by the newest of these. */
      readonly saw?: readonly SeenFile[]
    }
  | { readonly kind: 'TODOS_CHANGED'; readonly todos: readonly Todo[] }
  /** `turn_tokens`, `turn_cost`: of this turn; `tokens`, `cost`, `time`: of the whole session, or of a subagent's lease. */
  | {
      readonly kind: 'TURN_LIMIT'
      readonly reason: 'max_tool_rounds' | 'max_turns' | 'tokens' | 'cost' | 'time' | 'turn_tokens' | 'turn_cost'
      readonly limit: number
    }
  | { readonly kind: 'LOOP_DETECTION'; readonly message: string }
  | { readonly kind: 'CONTEXT_WARNING'; readonly usagePercent: number }
  /** For the model `text` takes the place of all but the newest `kept` turns; for the person nothing is lost (DESIGN §4). */
  | ({ readonly kind: 'COMPACTED'; readonly text: string; readonly kept: number } & CompactionReceipt)
  /** The newest compaction that is in force counts no longer. Any process may append it. */
  | { readonly kind: 'COMPACTION_UNDONE' }
  | { readonly kind: 'ERROR'; readonly error: Trouble }
  /** Something that the person should know and that ends no turn (S-14). */
  | { readonly kind: 'WARNING'; readonly trouble: Trouble }

/**
 * Why an answer came to its end. Only `stop` and `tool_calls` are natural ends, and only what stands in an answer with one of them may be
 * carried out, apart from whole calls in front of a `length`. `pause`: the service paused in the middle and goes on when it is asked again
 * with what it wrote; nothing of ours is called. `other`: the service gave no reason, or one that is not known: half an answer.
 */
export type StopReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'pause' | 'error' | 'other'

export type ApprovalAnswer =
  | { readonly kind: 'signed' }
  | { readonly kind: 'refused'; readonly note: string | null; readonly by: 'person' | 'flag' }
  /** Nobody answered and nobody can any more: the turn was stopped, or the world moved and a new request took its place. */
  | { readonly kind: 'withdrawn'; readonly why: 'stopped' | 'superseded' }

/** A courtesy to whoever watches: never stored, may be lost, replaced by the durable event that follows. */
export type LiveEvent =
  | { readonly kind: 'REQUEST_SENT'; readonly provider: ProviderId; readonly model: string }
  | { readonly kind: 'ASSISTANT_TEXT_START' }
  | { readonly kind: 'ASSISTANT_TEXT_DELTA'; readonly text: string }
  | { readonly kind: 'ASSISTANT_TEXT_END' }
  | { readonly kind: 'THINKING_DELTA'; readonly text: string }
  /** The model is writing a call's arguments; `chars` so far. */
  | { readonly kind: 'TOOL_CALL_DELTA'; readonly toolName: string; readonly chars: number }
  /**
   * The last lines of a running command as they stand on its screen (at most 2 000 characters), the bytes so far, and whether it waits
   * for somebody to type into its terminal. Replaces the one before.
   */
  | {
      readonly kind: 'TOOL_CALL_OUTPUT_DELTA'
      readonly toolCallId: ToolCallId
      readonly tail: string
      readonly bytes: number
      readonly waitsForInput?: boolean
    }
  /**
   * The request failed and is made again at `atMs`; `attempt` is 1 for the first retry. What was shown of the answer is void. Retries end at
   * `untilMs` if the service goes on failing. Both in ms since 1970. `code`: that of the failure. `discardedWords`: left out for none.
   */
  | {
      readonly kind: 'RETRY_SCHEDULED'
      readonly attempt: number
      readonly atMs: number
      readonly untilMs: number
      readonly code: string
      readonly why: string
      readonly discardedWords?: number
    }
  /** What a subagent's log or live stream got (P2-23); stored once, under the subagent's own session. */
  | { readonly kind: 'SUBAGENT_EVENT'; readonly subagentId: SessionId; readonly event: SessionEvent }
  | { readonly kind: 'PROGRESS'; readonly waitingFor: string; readonly sinceMs: number; readonly untilMs: number | null }

export type SessionEvent = DurableEvent | LiveEvent

/** A stored event. `seq` is global to the store and only grows; `after` names the event of this session that it follows. Order by `seq`, never by `at`. */
export interface Envelope {
  readonly seq: number
  readonly sessionId: SessionId
  readonly after: number | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly event: DurableEvent
}

/** A live event on its way to whoever watches. */
export interface LiveEnvelope {
  readonly seq: null
  readonly sessionId: SessionId
  readonly at: number
  readonly event: LiveEvent
}

export type AnyEnvelope = Envelope | LiveEnvelope

/** It was told while nothing could be stored, with a number between two stored ones, and may still be lost. */
export function isUnsaved({ seq }: AnyEnvelope): boolean {
  return seq !== null && !Number.isInteger(seq)
}

/** Nothing is limited. */
export const NO_LEASE: Lease = { tokens: null, costUsd: null, minutes: null, turns: null }

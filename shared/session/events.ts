import type { Amended } from './amendment.ts'
import type { CompactionReceipt, ConversationMove } from './conversation-move.ts'
import type { Effort } from './settings/model-facts.ts'
import type { ApprovalId, BlobHash, SessionId, ToolCallId } from '../lib/ids.ts'
import type { ApprovalMode } from './settings/approval-mode.ts'
import type { ContentPart, JsonValue, ModelContent, ProviderId, Usage } from './content.ts'
import type { Effect } from './effects.ts'
import type { GitChange } from './git-change.ts'
import type { FileChange, FolderChange, MadeBy, UnreadFile } from './file-change.ts'
import type { HookRun } from './hooks.ts'
import type { PersonMessage } from './person-message.ts'
import type { Todo } from './todo.ts'
import type { Course } from '../workflow/workflow.ts'
import type { Reply } from '../workflow/signature-reply.ts'
import type { Rollback } from './rollback.ts'

export interface SessionConfigured {
  readonly provider: ProviderId
  readonly model: string
  readonly mode: ApprovalMode
  /** Null: the vendor's default. */
  readonly effort: Effort | null
  /** Null: the provider's usual address. */
  readonly baseUrl: string | null
  /** Absent: plain. */
  readonly course?: Course
}

/** Which model answers, and with what effort. */
export type Answering = Pick<SessionConfigured, 'provider' | 'model' | 'effort'>

/** An expected failure as it is shown: three sentences, never a bare code. */
export interface Trouble {
  readonly code: string
  readonly what: string
  readonly kept: string
  readonly todo: string
}

/** What a command did in its copy. Nothing of it is real. */
export interface CopyOutcome {
  /** The command, then each change it made. */
  readonly effects: readonly Effect[]
  /** What can be applied (JSON); null: nothing. */
  readonly changeSet: BlobRef | null
  /** The result of the command (JSON), for the call's end; null: the call ends with this event. */
  readonly result: BlobRef | null
  /** The last lines of its output, at most 2,000 characters. */
  readonly tail: string
  /** Null: a signal ended it. */
  readonly exitCode: number | null
  readonly durationMs: number
  /** Hosts it asked for and did not reach, as `host:port`. */
  readonly blocked: readonly string[]
  /** Hosts it asked for and was allowed to reach, in the same form. Absent: none. */
  readonly reached?: readonly string[]
  /** Paths of changes that are never applied: sockets, devices, set-user-id bits. */
  readonly leftOut: readonly string[]
  /** Why its changes cannot be applied, or were not kept. Null: they can. */
  readonly dropped: string | null
  /** It failed, and its output shows that the copy was the reason: a sentence. Absent: it did not. */
  readonly unfit?: string
  /** What there is to know besides the changes, as sentences: hidden places it missed, what ended with the copy. Absent: nothing. */
  readonly notes?: readonly string[]
  /** What it did to the repository, in git's terms. Absent: nothing, or only the files are known. */
  readonly git?: GitChange
}

/** Why a command does not run in a copy. */
export interface NoCopy {
  /** A sentence; null: the person wants it to run for real. */
  readonly reason: string | null
  /** Only the copy could not be made, so it may run confined to the folder. */
  readonly mayConfine: boolean
  /** The person wants it to run confined, whatever the mode does. */
  readonly isConfined?: true
  /** Its result in the copy (JSON), for the agent if it is not to run for real. Absent: it did not end there. */
  readonly result?: BlobRef
}

/** What a subagent may spend, checked before each of its requests; null: no limit of its own. */
export interface Lease {
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly minutes: number | null
  /** Answers. */
  readonly turns: number | null
}

/** What one turn may spend, including its subagents; null: no limit. */
export type TurnLease = Pick<Lease, 'tokens' | 'costUsd'>

/** Where a subagent comes from. */
export interface ParentLink {
  readonly sessionId: SessionId
  readonly toolCallId: ToolCallId
  readonly agentType: string
  /** 1 for a subagent of a person's session. */
  readonly depth: number
  /** It has reading tools only. */
  readonly readsOnly: boolean
  /** Its tools, by canonical name. Left out: all that `readsOnly` allows. */
  readonly tools?: readonly string[]
  /** The project folder it works in, as a real path. Left out: the project's own. */
  readonly workingDir?: string
  /** The required form of its answer. Default: free text. */
  readonly answer?: 'plan'
  /** It writes in its own copy of the folder; what it changed is signed in its parent when it ends. Left out: in the folder itself. */
  readonly ownCopy?: true
  /** Why it works in the folder itself although it may write, as a sentence. Left out: it has its own copy, or only reads. */
  readonly noOwnCopy?: string
  readonly lease: Lease
}

/** Where a fork's conversation comes from: a session as it was at its event `seq`. */
export interface ForkLink {
  readonly sessionId: SessionId
  readonly seq: number
}

export interface BlobRef {
  readonly hash: BlobHash
  readonly bytes: number
}

export type Signer =
  | { readonly kind: 'person' }
  | { readonly kind: 'mode'; readonly mode: ApprovalMode }
  | { readonly kind: 'rule'; readonly rule: string }
  | { readonly kind: 'hook'; readonly command: string }

/** A file as the agent saw it: the hash of its whole content, and which lines, if not all. */
export interface SeenFile {
  readonly path: string
  readonly hash: BlobHash
  readonly lines?: SeenLines
}

/** Lines from 1, both ends included, in order; `total`: lines of the file, 0 if none was seen. */
export interface SeenLines {
  readonly ranges: readonly (readonly [number, number])[]
  readonly total: number
}

/** How a call ended. Only `done` counts as success for the model. */
export type CallOutcome = 'done' | 'failed' | 'refused' | 'barred' | 'interrupted' | 'stopped'

/** Stored in the log forever; names and payloads of existing kinds never change. */
export type DurableEvent =
  /** `parent`: this is a subagent's session. Left out: a person's. */
  | ({
      readonly kind: 'SESSION_START'
      readonly sessionId: SessionId
      readonly cwd: string
      readonly parent?: ParentLink
      /** It begins with a copy of that conversation. Left out: a new one. */
      readonly forkedFrom?: ForkLink
    } & SessionConfigured)
  /**
   * `was`: the model until now, if another one takes over. Left out: nothing was answered yet, or it stays the same. `forTurn`: a slash
   * command set it for one turn; `back` answers after that.
   */
  | ({
      readonly kind: 'SESSION_CONFIGURED'
      readonly was?: Answering
      readonly forTurn?: { readonly command: string; readonly back: Answering }
    } & SessionConfigured)
  /** The person's name for the session; empty: the title made from its first request. Any process may append it. */
  | { readonly kind: 'SESSION_RENAMED'; readonly name: string }
  | { readonly kind: 'SESSION_END'; readonly sessionId: SessionId; readonly reason: 'closed' | 'aborted' }
  | ({ readonly kind: 'USER_INPUT'; readonly inputId: string; readonly delivery: 'prompt' | 'follow-up' } & PersonMessage)
  /** A waiting message: `steer` for the end of the running round, `queue` for the end of the turn. Any process may append it. */
  | ({ readonly kind: 'INPUT_QUEUED'; readonly inputId: string; readonly delivery: 'steer' | 'queue' } & PersonMessage)
  | { readonly kind: 'INPUT_WITHDRAWN'; readonly inputId: string }
  /** A request to end the turn; the process that runs the session obeys. Any process may append it. */
  | { readonly kind: 'STOP_REQUESTED' }
  /** A request to retry now; the process that runs the session obeys. Any process may append it. */
  | { readonly kind: 'RETRY_REQUESTED' }
  /**
   * A request to continue a turn that was interrupted, stopped, limited or failed; the process that runs the session obeys. Any process
   * may append it.
   */
  | { readonly kind: 'RESUME_REQUESTED' }
  | ({ readonly kind: 'STEERING_INJECTED'; readonly inputId: string; readonly by: 'person' | 'loop' } & PersonMessage)
  | {
      readonly kind: 'PROCESSING_END'
      readonly reason: 'completed' | 'stopped' | 'limit' | 'error' | 'interrupted'
      /** Only in logs of older versions, where a call with a question ended the turn. Left out: see its last words. */
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
      /** False: the stream broke before its last event. The text is kept and shown; none of its calls run, and it is not sent back. */
      readonly complete: boolean
    }
  /** `beside`: of a question beside the conversation, whose context stays as it was. Left out: of an answer in it. */
  | { readonly kind: 'USAGE'; readonly turn: Usage; readonly total: Usage; readonly costUsd: number | null; readonly beside?: true }
  | {
      readonly kind: 'TOOL_CALL_START'
      readonly toolCallId: ToolCallId
      readonly toolName: string
      /** Parsed arguments; null: `argsText` is not a JSON object (the call then fails). */
      readonly args: { readonly [key: string]: JsonValue } | null
    }
  | {
      readonly kind: 'APPROVAL_REQUESTED'
      readonly approvalId: ApprovalId
      readonly toolCallId: ToolCallId
      readonly toolName: string
      readonly effects: readonly Effect[]
      /** SHA-256 of exactly what would be executed or written; an answer must name it. */
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
  /** A command starts in a copy of the folder, where nothing it does is real. Without an end, the app ended first: it simply runs again. */
  | { readonly kind: 'COPY_STARTED'; readonly toolCallId: ToolCallId; readonly effects: readonly Effect[] }
  | ({ readonly kind: 'COPY_ENDED'; readonly toolCallId: ToolCallId } & CopyOutcome)
  /** The command does not run in a copy after all. What a copy of it did is dropped. */
  | ({ readonly kind: 'COPY_FAILED'; readonly toolCallId: ToolCallId } & NoCopy)
  | {
      readonly kind: 'FILES_CHANGED'
      readonly toolCallId: ToolCallId
      readonly files: readonly FileChange[]
      /** Absent: none, or an older version recorded the step. */
      readonly folders?: readonly FolderChange[]
      /** Files the step may have changed, whose bytes could not be read or stored afterwards. Absent: none. */
      readonly unread?: readonly UnreadFile[]
      /** Absent: an edit tool. */
      readonly madeBy?: MadeBy
    }
  | {
      readonly kind: 'TOOL_CALL_END'
      readonly toolCallId: ToolCallId
      readonly toolName: string
      /** The whole output up to 64 KB (65,536 bytes of UTF-8); above that its head and tail, with the whole in `outputBlob`. */
      readonly output: string
      readonly outputBlob: BlobRef | null
      /** What the model got; null: exactly `output`. */
      readonly modelText: ModelContent | null
      readonly isError: boolean
      readonly outcome: CallOutcome
      /** Ms; null: the app ended while it ran, and the duration is unknown. */
      readonly durationMs: number | null
      /** Typed per tool in `shared/tools`. */
      readonly details: JsonValue
      /** What the agent has now seen of files (real paths); the newest entry decides "changed since you read it". */
      readonly saw?: readonly SeenFile[]
    }
  /** The person undoes changes to files; none is touched yet. Without ROLLED_BACK, the next process that runs the session finishes it. */
  | ({ readonly kind: 'ROLLBACK_STARTED' } & Rollback)
  /** What became of it: `files` are as `after` says, `skipped` were left alone. */
  | ({ readonly kind: 'ROLLED_BACK' } & Rollback)
  /** The person took the conversation to another point of it. Only while no turn runs. */
  | ({ readonly kind: 'CONVERSATION_MOVED' } & ConversationMove)
  | { readonly kind: 'TODOS_CHANGED'; readonly todos: readonly Todo[] }
  /** `turn_tokens`, `turn_cost`: of this turn; `tokens`, `cost`, `time`: of the whole session, or of a subagent's budget. */
  | {
      readonly kind: 'TURN_LIMIT'
      readonly reason: 'max_tool_rounds' | 'max_turns' | 'tokens' | 'cost' | 'time' | 'turn_tokens' | 'turn_cost'
      readonly limit: number
    }
  | { readonly kind: 'LOOP_DETECTION'; readonly message: string }
  | { readonly kind: 'CONTEXT_WARNING'; readonly usagePercent: number }
  /** For the model, `text` replaces all but the newest `kept` turns; for the person nothing is lost. */
  | ({ readonly kind: 'COMPACTED'; readonly text: string; readonly kept: number } & CompactionReceipt)
  /**
   * The person wants the conversation compacted before the next request. Any process may append it. `alone`: no turn ran, so the turn that
   * this starts does nothing else. `instructions`: what the summary should keep; empty: nothing special.
   */
  | { readonly kind: 'COMPACTION_REQUESTED'; readonly instructions: string; readonly alone: boolean }
  /** Undoes the newest compaction that was not undone yet. Any process may append it. */
  | { readonly kind: 'COMPACTION_UNDONE' }
  | { readonly kind: 'ERROR'; readonly error: Trouble }
  /** Something the person should know that does not end the turn. */
  | { readonly kind: 'WARNING'; readonly trouble: Trouble }
  | ({ readonly kind: 'HOOK_RAN' } & HookRun)

/**
 * Why an answer ended. Only `stop` and `tool_calls` are natural ends, and only calls in such answers may run, plus complete calls before
 * a `length`. `pause`: the service paused and continues when it is asked again with what it wrote; no calls run. `other`: no reason, or
 * an unknown one: an incomplete answer.
 */
export type StopReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'pause' | 'error' | 'other'

export type ApprovalAnswer =
  /** `amended`: the person signed this in place of what was proposed. Absent: what was proposed. `reply`: what the person said with it. */
  | { readonly kind: 'signed'; readonly amended?: Amended; readonly reply?: Reply }
  | { readonly kind: 'refused'; readonly note: string | null; readonly by: 'person' | 'flag' }
  /**
   * No longer answerable: the turn was stopped, or things changed and another request replaced it, or a running command did not wait
   * any longer, or the person wants the command to run for real, which is asked next.
   */
  | { readonly kind: 'withdrawn'; readonly why: 'stopped' | 'superseded' | 'timed_out' | 'for_real' | 'confined' }

/** For display only: never stored, may be lost, replaced by the durable event that follows. */
export type LiveEvent =
  | { readonly kind: 'REQUEST_SENT'; readonly provider: ProviderId; readonly model: string }
  | { readonly kind: 'ASSISTANT_TEXT_START' }
  | { readonly kind: 'ASSISTANT_TEXT_DELTA'; readonly text: string }
  | { readonly kind: 'ASSISTANT_TEXT_END' }
  | { readonly kind: 'THINKING_DELTA'; readonly text: string }
  /** The model is writing a call's arguments; `chars` so far. */
  | { readonly kind: 'TOOL_CALL_DELTA'; readonly toolName: string; readonly chars: number }
  /**
   * The last lines of a running command as on its screen (at most 2,000 characters), the bytes so far, and whether it waits for input.
   * Replaces the one before.
   */
  | {
      readonly kind: 'TOOL_CALL_OUTPUT_DELTA'
      readonly toolCallId: ToolCallId
      readonly tail: string
      readonly bytes: number
      readonly waitsForInput?: boolean
    }
  /**
   * The request failed and will be retried at `atMs`; `attempt` is 1 for the first retry. The shown part of the answer is void. Retries
   * end at `untilMs`. Both in ms since 1970. `code`: of the failure. `discardedWords`: left out for none.
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
  /** An event of a subagent's log or live stream; stored once, in the subagent's own session. */
  | { readonly kind: 'SUBAGENT_EVENT'; readonly subagentId: SessionId; readonly event: SessionEvent }
  | { readonly kind: 'PROGRESS'; readonly waitingFor: string; readonly sinceMs: number; readonly untilMs: number | null }

export type SessionEvent = DurableEvent | LiveEvent

/**
 * A stored event. `seq` is global to the store and only grows; `after` is the previous event of this session. Order by `seq`, never by
 * `at`.
 */
export interface Envelope {
  readonly seq: number
  readonly sessionId: SessionId
  readonly after: number | null
  /** Ms since the epoch. */
  readonly at: number
  readonly event: DurableEvent
}

/** A live event on its way to subscribers. */
export interface LiveEnvelope {
  readonly seq: null
  readonly sessionId: SessionId
  readonly at: number
  readonly event: LiveEvent
}

export type AnyEnvelope = Envelope | LiveEnvelope

/** It was delivered while nothing could be stored, with a number between two stored ones, and may still be lost. */
export function isUnsaved({ seq }: AnyEnvelope): boolean {
  return seq !== null && !Number.isInteger(seq)
}

/** No limits. */
export const NO_LEASE: Lease = { tokens: null, costUsd: null, minutes: null, turns: null }

import type { Lease } from './settings/budget-lease.ts'
import type { Amended, AmendedFile } from './amendment.ts'
import type { CompactionReceipt, ConversationMove, ForkLink } from './conversation-move.ts'
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
import type { SignatureReply } from '../workflow/signature-reply.ts'
import type { Rollback } from './rollback.ts'
import type { Where, WithdrawnFor } from './settings/where.ts'

export interface SessionConfigured {
  readonly provider: ProviderId
  readonly model: string
  readonly mode: ApprovalMode
  /** Null for the vendor's default. */
  readonly effort: Effort | null
  /** Null for the provider's default address. */
  readonly baseUrl: string | null
  /** If absent, the course is plain. */
  readonly course?: Course
  /** Set when the session starts, and never changed. If absent, the session works in the folder itself. */
  readonly where?: Where
}

/** The model that answers, and its effort. */
export type Answering = Pick<SessionConfigured, 'provider' | 'model' | 'effort'>

/** An expected failure in the form that is shown: three sentences, never a bare code. */
export interface Trouble {
  readonly code: string
  readonly what: string
  readonly kept: string
  readonly todo: string
}

/** The result of a command in its copy. None of the changes has been made in the folder itself. */
export interface CopyOutcome {
  /** The command, then each of its changes. */
  readonly effects: readonly Effect[]
  /** The changes that can be applied (JSON). Null if there are none. */
  readonly changeSet: BlobRef | null
  /** The result of the command (JSON), which becomes the result of the call. Null if the call ends with this event. */
  readonly result: BlobRef | null
  /** The last lines of the command's output, at most 2,000 characters. */
  readonly tail: string
  /** Null if a signal ended the command. */
  readonly exitCode: number | null
  readonly durationMs: number
  /** Hosts that the command tried to reach but could not, as `host:port`. */
  readonly blocked: readonly string[]
  /** Hosts that the command was allowed to reach, as `host:port`. If absent, there are none. */
  readonly reached?: readonly string[]
  /** Paths of changes that are never applied: sockets, devices, set-user-id bits, and files of a layer with conflicts that cannot be merged. */
  readonly leftOut: readonly string[]
  /** Why the changes cannot be applied, or were not kept. Null if they can be applied. */
  readonly dropped: string | null
  /** A sentence, set if the command failed and its output shows that the copy was the reason. If absent, this is not the case. */
  readonly unfit?: string
  /** More facts as sentences, such as hidden places the command tried to use or processes that ended with the copy. Absent if none. */
  readonly notes?: readonly string[]
  /** The changes of the repository in git's terms. If absent, there are none, or only the changed files are known. */
  readonly git?: GitChange
}

/** Why a command does not run in a copy. */
export interface NoCopy {
  /** The reason as a sentence. Null if the user wants the command to run for real. */
  readonly reason: string | null
  /** Whether the only problem is that the copy could not be made. The command may then run confined to the folder. */
  readonly mayConfine: boolean
  /** Set if the user wants the command to run confined, regardless of the mode. */
  readonly isConfined?: true
  /**
   * The result of the command in the copy (JSON). The agent gets this result if the command does not run for real. If absent, the command
   * did not finish in the copy.
   */
  readonly result?: BlobRef
}

/** The origin of a subagent. */
export interface ParentLink {
  readonly sessionId: SessionId
  readonly toolCallId: ToolCallId
  readonly agentType: string
  /** 1 for a subagent of a user's session. */
  readonly depth: number
  /** Whether the subagent has only read-only tools. */
  readonly readsOnly: boolean
  /** The subagent's tools, by canonical name. If left out, it has all tools that `readsOnly` allows, except `excludedTools`. */
  readonly tools?: readonly string[]
  /** Tools that the subagent does not have, by canonical name; `mcp__server` for all tools of an MCP server. */
  readonly excludedTools?: readonly string[]
  /** The folder in which the subagent works, as a real path. If left out, it is the project folder itself. */
  readonly workingDir?: string
  /** The required form of the answer. Default: free text. */
  readonly answer?: 'plan'
  /**
   * Set if the subagent writes in its own copy of the folder. The subagent's changes are signed in its parent when the subagent ends. If
   * left out, the subagent works in the folder itself.
   */
  readonly ownCopy?: true
  /**
   * Why the subagent works in the folder itself although it may write, as a sentence. If left out, it has its own copy, or only reads.
   */
  readonly noOwnCopy?: string
  readonly lease: Lease
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
  /** Nobody: the step changed only a layer. The user signs its changes when they are brought into the folder. */
  | { readonly kind: 'layer' }

/** A file in the version that the agent saw: the hash of its complete content, and the lines that the agent saw, if not all. */
export interface SeenFile {
  readonly path: string
  readonly hash: BlobHash
  readonly lines?: SeenLines
}

/** Line ranges in order, counted from 1, both ends included. `total` is the number of lines of the file, or 0 if no lines were seen. */
export interface SeenLines {
  readonly ranges: readonly (readonly [number, number])[]
  readonly total: number
}

/** How a call ended. Only `done` counts as success for the model. */
export type CallOutcome = 'done' | 'failed' | 'refused' | 'barred' | 'interrupted' | 'stopped'

/** Events that are stored in the log forever. Names and payloads of existing kinds must never change. */
export type DurableEvent =
  /** `parent` is set for a subagent's session. If left out, it is a user's session. */
  | ({
      readonly kind: 'SESSION_START'
      readonly sessionId: SessionId
      readonly cwd: string
      readonly parent?: ParentLink
      /** Set if the session begins with a copy of the conversation to which this link refers. If left out, the conversation is new. */
      readonly forkedFrom?: ForkLink
    } & SessionConfigured)
  /**
   * `was` is the previous model. It is set if a different model answers from now on. If left out, nothing was answered yet, or the model is
   * the same. `forTurn` is set if a slash command made the change for one turn. After this turn, the model in `back` answers.
   */
  | ({
      readonly kind: 'SESSION_CONFIGURED'
      readonly was?: Answering
      readonly forTurn?: { readonly command: string; readonly back: Answering }
    } & SessionConfigured)
  /** The name given by the user. An empty name restores the title made from the first request. Any process may append this event. */
  | { readonly kind: 'SESSION_RENAMED'; readonly name: string }
  | { readonly kind: 'SESSION_END'; readonly sessionId: SessionId; readonly reason: 'closed' | 'aborted' }
  | ({ readonly kind: 'USER_INPUT'; readonly inputId: string; readonly delivery: 'prompt' | 'follow-up' } & PersonMessage)
  /** A waiting message: `steer` for the end of the running round, `queue` for the end of the turn. Any process may append this event. */
  | ({ readonly kind: 'INPUT_QUEUED'; readonly inputId: string; readonly delivery: 'steer' | 'queue' } & PersonMessage)
  | { readonly kind: 'INPUT_WITHDRAWN'; readonly inputId: string }
  /** A request to stop the turn. The process that runs the session carries it out. Any process may append this event. */
  | { readonly kind: 'STOP_REQUESTED'; readonly withdrawn?: WithdrawnFor }
  /** A request to retry now. The process that runs the session carries it out. Any process may append this event. */
  | { readonly kind: 'RETRY_REQUESTED' }
  /**
   * A request to continue a turn that was interrupted or stopped, reached a limit, or failed. The process that runs the session carries it
   * out. Any process may append this event.
   */
  | { readonly kind: 'RESUME_REQUESTED' }
  | ({ readonly kind: 'STEERING_INJECTED'; readonly inputId: string; readonly by: 'person' | 'loop' } & PersonMessage)
  | {
      readonly kind: 'PROCESSING_END'
      readonly reason: 'completed' | 'stopped' | 'limit' | 'error' | 'interrupted'
      /** Why Countersign itself stopped a request to bring in work. If absent, the user stopped the turn. */
      readonly withdrawn?: WithdrawnFor
      /**
       * Whether the turn ended with a question. Occurs only in logs of older versions, in which a call with a question ended the turn. If
       * left out, the last words of the answer decide this.
       */
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
      /** False if the stream broke before its last event. Then the text is kept and shown, but not sent back, and no call in it runs. */
      readonly complete: boolean
    }
  /** `beside` is set for a question outside the conversation, which does not change the context. */
  | { readonly kind: 'USAGE'; readonly turn: Usage; readonly total: Usage; readonly costUsd: number | null; readonly beside?: true }
  | {
      readonly kind: 'TOOL_CALL_START'
      readonly toolCallId: ToolCallId
      readonly toolName: string
      /** Parsed arguments. Null if `argsText` is not a JSON object; the call then fails. */
      readonly args: { readonly [key: string]: JsonValue } | null
    }
  | {
      readonly kind: 'APPROVAL_REQUESTED'
      readonly approvalId: ApprovalId
      readonly toolCallId: ToolCallId
      readonly toolName: string
      readonly effects: readonly Effect[]
      /** SHA-256 of exactly what would be executed or written. An answer must contain this hash. */
      readonly hash: string
      /** Why the policy requires approval, as a sentence. */
      readonly reason: string
      /** Whether the signing button must be held down. */
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
  /**
   * A command starts in a copy of the folder, where it changes nothing for real. If there is no event for its end, the app ended first, and
   * the command simply runs again.
   */
  | { readonly kind: 'COPY_STARTED'; readonly toolCallId: ToolCallId; readonly effects: readonly Effect[] }
  | ({ readonly kind: 'COPY_ENDED'; readonly toolCallId: ToolCallId } & CopyOutcome)
  /** The command does not run in a copy after all. Its changes in a copy are dropped. */
  | ({ readonly kind: 'COPY_FAILED'; readonly toolCallId: ToolCallId } & NoCopy)
  | {
      readonly kind: 'FILES_CHANGED'
      readonly toolCallId: ToolCallId
      readonly files: readonly FileChange[]
      /** If absent, no folders changed, or an older version recorded the step. */
      readonly folders?: readonly FolderChange[]
      /** Files that the step may have changed, but whose bytes could not be read or stored afterwards. If absent, there are none. */
      readonly unread?: readonly UnreadFile[]
      /** If absent, an edit tool made the change. */
      readonly madeBy?: MadeBy
    }
  | {
      readonly kind: 'TOOL_CALL_END'
      readonly toolCallId: ToolCallId
      readonly toolName: string
      /**
       * The complete output up to 64 KB (65,536 bytes of UTF-8). A longer output is cut to its beginning and end, and `outputBlob` contains
       * the complete output.
       */
      readonly output: string
      readonly outputBlob: BlobRef | null
      /** What else is possible after this failure, such as the tools that exist. People see it on demand. Absent in old logs. */
      readonly advice?: string
      /** The result that the model got. Null if it is exactly `output`. */
      readonly modelText: ModelContent | null
      readonly isError: boolean
      readonly outcome: CallOutcome
      /** Duration in ms. Null if the app ended while the call was running, so that it is unknown. */
      readonly durationMs: number | null
      /** The types for each tool are in `shared/tools`. */
      readonly details: JsonValue
      /** The file versions that the agent knows from this call (real paths). The newest entry decides if a file "changed since you read it". */
      readonly saw?: readonly SeenFile[]
    }
  /**
   * The user undoes changes to files. No file is changed yet. If no ROLLED_BACK follows, the next process that runs the session finishes
   * the undo.
   */
  | ({ readonly kind: 'ROLLBACK_STARTED' } & Rollback)
  /** The result of the undo: `files` are in their state `after`, and `skipped` were not changed. */
  | ({ readonly kind: 'ROLLED_BACK' } & Rollback)
  /** The user moved the conversation to another of its points. This is possible only while no turn is running. */
  | ({ readonly kind: 'CONVERSATION_MOVED' } & ConversationMove)
  | { readonly kind: 'TODOS_CHANGED'; readonly todos: readonly Todo[] }
  /**
   * `turn_tokens` and `turn_cost` are limits of this turn. `tokens`, `cost` and `time` are limits of the session, or of a subagent's
   * budget. `countedBy` is set for a third-party agent: `proxy` if Countersign's proxy read the tokens in the answers of the agent's
   * model, `agent` if the agent reported the amounts itself.
   */
  | {
      readonly kind: 'TURN_LIMIT'
      readonly reason: 'max_tool_rounds' | 'max_turns' | 'tokens' | 'cost' | 'time' | 'turn_tokens' | 'turn_cost'
      readonly limit: number
      readonly countedBy?: 'proxy' | 'agent'
    }
  | { readonly kind: 'LOOP_DETECTION'; readonly message: string }
  | { readonly kind: 'CONTEXT_WARNING'; readonly usagePercent: number }
  /** For the model, `text` replaces all turns except the newest `kept` turns. For the user, nothing is lost. */
  | ({ readonly kind: 'COMPACTED'; readonly text: string; readonly kept: number } & CompactionReceipt)
  /**
   * The user wants the conversation compacted before the next request. Any process may append this event. `alone`: no turn was running,
   * so the turn that this event starts does nothing else. `instructions` say what the summary should keep. Empty if there are none.
   */
  | { readonly kind: 'COMPACTION_REQUESTED'; readonly instructions: string; readonly alone: boolean }
  /** Undoes the newest compaction that was not undone yet. Any process may append this event. */
  | { readonly kind: 'COMPACTION_UNDONE' }
  | { readonly kind: 'ERROR'; readonly error: Trouble }
  /** Something that the user should know but that does not end the turn. `refusedTool`: a tool that is no longer offered to this model. */
  | { readonly kind: 'WARNING'; readonly trouble: Trouble; readonly refusedTool?: string }
  | ({ readonly kind: 'HOOK_RAN' } & HookRun)

/**
 * Why an answer ended. Only `stop` and `tool_calls` are natural ends, after which the calls of the answer run. After `length`, only its
 * complete calls run. After any other reason, no calls run. `pause`: the service paused and continues when it gets back what it wrote.
 * `other`: no reason or an unknown reason, so the answer is incomplete.
 */
export type StopReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'pause' | 'error' | 'other'

export type ApprovalAnswer =
  /**
   * `amended` is what the user signed in place of the proposal. If absent, the proposal was signed. `reply` is the user's reply with the
   * signature. `later`: the files of which the user decides something later. If absent, everything was refused.
   */
  | { readonly kind: 'signed'; readonly amended?: Amended; readonly reply?: SignatureReply }
  | { readonly kind: 'refused'; readonly note: string | null; readonly by: 'person' | 'flag'; readonly later?: readonly AmendedFile[] }
  /**
   * The request can no longer be answered, because the turn was stopped, another request replaced it after a change, a running command
   * did not wait any longer, or the user wants the command to run for real or confined, which needs a new request.
   */
  | { readonly kind: 'withdrawn'; readonly why: 'stopped' | 'superseded' | 'timed_out' | 'for_real' | 'confined' }

/** Events that are only for display. They are never stored, may be lost, and are replaced by the durable event that follows. */
export type LiveEvent =
  | { readonly kind: 'REQUEST_SENT'; readonly provider: ProviderId; readonly model: string }
  | { readonly kind: 'ASSISTANT_TEXT_START' }
  | { readonly kind: 'ASSISTANT_TEXT_DELTA'; readonly text: string }
  | { readonly kind: 'ASSISTANT_TEXT_END' }
  | { readonly kind: 'THINKING_DELTA'; readonly text: string }
  /** The model is writing a call's arguments. `chars` is the number of characters so far. */
  | { readonly kind: 'TOOL_CALL_DELTA'; readonly toolName: string; readonly chars: number }
  /**
   * The last lines of a running command as its screen shows them (at most 2,000 characters), the number of bytes of output so far, and
   * whether the command waits for input. Replaces the previous event of this kind.
   */
  | {
      readonly kind: 'TOOL_CALL_OUTPUT_DELTA'
      readonly toolCallId: ToolCallId
      readonly tail: string
      readonly bytes: number
      readonly waitsForInput?: boolean
    }
  /**
   * The request failed and will be retried at `atMs`. `attempt` is 1 for the first retry. The part of the answer that was shown is void.
   * Retries end at `untilMs`. Both times are in ms since 1970. `code` is the code of the failure. `discardedWords` is left out if it is
   * 0.
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
  /** An event of a subagent's log or live stream. It is stored once, in the subagent's own session. */
  | { readonly kind: 'SUBAGENT_EVENT'; readonly subagentId: SessionId; readonly event: SessionEvent }
  | { readonly kind: 'PROGRESS'; readonly waitingFor: string; readonly sinceMs: number; readonly untilMs: number | null }

export type SessionEvent = DurableEvent | LiveEvent

/**
 * A stored event. `seq` is global to the store and always grows. `after` is the previous event of this session. Events must be ordered by
 * `seq`, never by `at`.
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

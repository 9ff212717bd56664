import type { ApprovalId, SessionId, ToolCallId } from '../lib/ids.ts'
import type { ImagePart, JsonValue, Usage } from './content.ts'
import type { Effect } from './effects.ts'
import type { TurnLimit } from './limit-trouble.ts'
import type {
  Answering,
  ApprovalAnswer,
  BlobRef,
  CallOutcome,
  CopyOutcome,
  NoCopy,
  ParentLink,
  SessionConfigured,
  Signer,
  Trouble,
} from './events.ts'
import type { CompactionReceipt, DoneMove, ForkLink } from './conversation-move.ts'
import type { FileChange, FolderChange, MadeBy } from './file-change.ts'
import type { Rollback, DoneRollback } from './rollback.ts'
import type { PersonMessage } from './person-message.ts'
import type { Workflow } from '../workflow/workflow.ts'
import type { ApprovalMode } from './settings/approval-mode.ts'
import type { Todo } from './todo.ts'

/** The four possible states. AWAITING_INPUT means that an approval, plan or clarification is pending. */
export type RunState = 'IDLE' | 'PROCESSING' | 'AWAITING_INPUT' | 'CLOSED'

/** The status of a call. `signed` means approved but not started. The final states are those of `CallOutcome`. */
export type CallStatus = 'preparing' | 'waiting' | 'signed' | 'running' | CallOutcome

interface ItemBase {
  /** Stable within the session, so it can be used as a key. */
  readonly id: string
  readonly at: number
}

export interface UserItem extends ItemBase, PersonMessage {
  readonly kind: 'user'
  readonly delivery: 'prompt' | 'follow-up' | 'steer'
}

export interface ProseItem extends ItemBase {
  readonly kind: 'prose'
  readonly text: string
  readonly thinking: string
  /** False if the answer was cut off before its end. */
  readonly complete: boolean
}

/** A picture in the result of a call. Its bytes are only in the log. */
interface ResultPicture {
  readonly mediaType: ImagePart['mediaType']
  /** Size in bytes, computed from the length of the base64 text. */
  readonly bytes: number
}

interface CallApproval {
  readonly approvalId: ApprovalId
  readonly hash: string
  readonly reason: string
  readonly destructive: boolean
  readonly requestedAt: number
  readonly answeredAt: number | null
  readonly answer: ApprovalAnswer | null
  /** Set if the user had signed an earlier version that was not carried out, because it had changed by then. */
  readonly isChanged?: true
}

/** The run of a command in a copy. `outcome` is null while it is running. Times are in ms since 1970. */
interface CallCopy {
  readonly startedAt: number
  readonly endedAt: number | null
  readonly outcome: CopyOutcome | null
}

export interface CallItem extends ItemBase {
  readonly kind: 'call'
  readonly toolCallId: ToolCallId
  /** The step number, counted from 1. File reads that directly follow each other share a number. */
  readonly step: number
  readonly toolName: string
  readonly args: { readonly [key: string]: JsonValue } | null
  readonly status: CallStatus
  readonly effects: readonly Effect[]
  /**
   * The effects of the call itself. They are kept here while a request that came during the run waits for its answer, because `effects`
   * then contains the effects of the request. After the answer, `effects` contains the call's own effects again.
   */
  readonly runs?: readonly Effect[]
  readonly approval: CallApproval | null
  readonly signedBy: Signer | null
  /** If absent, the call did not run in a copy. */
  readonly copy?: CallCopy
  /** If absent, the command can run in a copy, or this was not tried. */
  readonly noCopy?: NoCopy
  readonly files: readonly FileChange[]
  /** If absent, no folders changed. */
  readonly folders?: readonly FolderChange[]
  /** The command that changed `files`. If absent, an edit tool changed them, or nothing changed. */
  readonly madeBy?: MadeBy
  readonly startedAt: number | null
  readonly endedAt: number | null
  /**
   * Duration in ms. Null until the call has ended. For an interrupted call, the time for which it is known to have run. Null if that time
   * is unknown.
   */
  readonly durationMs: number | null
  readonly output: string
  /** What else is possible after a failure. Absent if there is nothing to say, and in old logs. */
  readonly advice?: string
  readonly outputBlob: BlobRef | null
  /** The pictures of the result, in order. A picture's bytes are requested by its index. If absent, there are no pictures. */
  readonly pictures?: readonly ResultPicture[]
  readonly isError: boolean
  readonly details: JsonValue
  /**
   * Only while live: the last lines of a running command, and the number of bytes of its output so far. For a call to a subagent, the
   * subagent's current activity.
   */
  readonly tail: { readonly text: string; readonly bytes: number; readonly waitsForInput?: boolean } | null
}

export interface NoticeItem extends ItemBase {
  readonly kind: 'notice'
  readonly level: 'info' | 'error'
  readonly trouble: Trouble
  /** The limit that ended the turn. If absent, no limit ended it. */
  readonly limit?: Pick<TurnLimit, 'reason' | 'limit'>
}

/** An entry for an undo: the user undid changes to files. */
export interface RollbackItem extends ItemBase, Rollback {
  readonly kind: 'rollback'
}

/** An entry for a move: the user moved the conversation to another point. The conversation continues from the event `to` (a seq). */
export interface MoveItem extends ItemBase {
  readonly kind: 'move'
  readonly to: number
}

/** `seq`: the event of the failure. `words`: "“npm run watch” ended in the background, exit 3". */
export interface FailedCommand {
  readonly seq: number
  readonly words: string
}

/** An entry of the ledger. */
export type Item = UserItem | ProseItem | CallItem | NoticeItem | RollbackItem | MoveItem

/** The answer that the model is writing now. It is removed when its ASSISTANT_TURN is in the log. */
export interface LiveAnswer {
  readonly text: string
  readonly thinking: string
  readonly call: { readonly toolName: string; readonly chars: number } | null
  readonly sinceMs: number
  readonly waitingFor: Awaited | null
}

export interface Awaited {
  readonly what: string
  /** Start of the wait in ms since 1970. The next field is its end, also in ms since 1970. */
  readonly sinceMs: number
  readonly untilMs: number | null
  /** Set if no request is running, because the last attempt failed. Attempt number `attempt` starts after `untilMs`. */
  readonly retry?: Retry
}

export interface Retry {
  /** Number of the attempt. 2 for the first retry. */
  readonly attempt: number
  readonly why: string
  /** Code of the failure. */
  readonly code: string
  /** Time after which retries stop if the service keeps failing, in ms since 1970. */
  readonly givesUpAtMs: number
  /** Number of words of a broken answer, which the next attempt writes again. If left out, there are none. */
  readonly discardedWords?: number
}

/** A message that the agent has not received yet. */
export interface QueuedInput extends PersonMessage {
  readonly inputId: string
  readonly delivery: 'steer' | 'queue'
  /**
   * True if the message waits for the next turn, because no turn is running. A `steer` message is sent before the first request of that
   * turn, a `queue` message after the end of that turn. If the message is sent again under the same `inputId`, it starts a turn. If it is
   * withdrawn, its text can be edited.
   */
  readonly held: boolean
}

/** Everything that the log says about a session. It is the fold of the session's events. */
export interface SessionState {
  readonly sessionId: SessionId
  readonly cwd: string
  readonly config: SessionConfigured
  /**
   * The model that answers after this turn, if a slash command set `config` for this turn only. If absent, the model in `config` answers
   * then too.
   */
  readonly afterTurn?: Answering
  /** The link to the parent session. Null if the session is not a subagent's. */
  readonly parent: ParentLink | null
  /** Null if the session is not a fork. */
  readonly forkedFrom: ForkLink | null
  /** The name that the user gave the session, or `requestTitle`. */
  readonly title: string
  /** Title made from the first request. Empty before the first request. */
  readonly requestTitle: string
  readonly run: RunState
  /** Why the last turn ended. Null while a turn is running, and before the first turn. */
  readonly ended: 'completed' | 'stopped' | 'limit' | 'error' | 'interrupted' | null
  /**
   * The newest turn that has ended. Null before the end of the first turn. `seq` is the event that ended the turn. `asks` is true if the
   * turn ended with a question.
   */
  readonly turnEnd: { readonly seq: number; readonly asks: boolean } | null
  /** The newest background command that has failed since the user's newest message, in words. Null if there is none. */
  readonly failedCommand: FailedCommand | null
  readonly startedAt: number
  readonly updatedAt: number
  /** Sequence number of the newest event that was applied. A client uses it as its cursor. */
  readonly cursor: number
  readonly steps: number
  /** Number of the model's answers, including broken ones. */
  readonly answers: number
  readonly usage: Usage
  readonly costUsd: number | null
  /** Number of tokens of the newest request and its answer. The next request starts with these. */
  readonly context: number
  /** Compactions in force, newest last. Only the newest can be undone. */
  readonly compactions: readonly CompactionReceipt[]
  /**
   * Whether the user has undone a compaction since the newest one was made. If so, the session is compacted only when the window is full.
   */
  readonly wholeWanted: boolean
  /** The undos in force, oldest first. */
  readonly rollbacks: readonly DoneRollback[]
  /** The moves of the conversation, oldest first. See `isInConversation`. */
  readonly moves: readonly DoneMove[]
  /** Sequence number of the event that started an undo which has not ended. Null if there is none. */
  readonly rollingBack: number | null
  /** Calls that have not ended, in call order. */
  readonly open: readonly ToolCallId[]
  /** The newest request, its plan and its progress. Null before the first request. */
  readonly workflow: Workflow | null
  /** The mode before the session last changed to plan mode. Null if the session never changed to it. */
  readonly modeBefore: ApprovalMode | null
  /** The agent's to-do list in its newest version. */
  readonly todos: readonly Todo[]
  /** Waiting messages, in order. */
  readonly queue: readonly QueuedInput[]
  /** Index of `items[0]` in the complete ledger. A client may have only the last page. */
  readonly firstItem: number
  readonly items: readonly Item[]
  readonly live: LiveAnswer | null
}

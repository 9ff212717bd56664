import type { ApprovalId, SessionId, ToolCallId } from '../lib/ids.ts'
import type { ImagePart, JsonValue, Usage } from './content.ts'
import type { Effect } from './effects.ts'
import type {
  Answering,
  ApprovalAnswer,
  BlobRef,
  CallOutcome,
  CopyOutcome,
  ForkLink,
  NoCopy,
  ParentLink,
  SessionConfigured,
  Signer,
  Trouble,
} from './events.ts'
import type { CompactionReceipt, DoneMove } from './conversation-move.ts'
import type { FileChange, FolderChange, MadeBy } from './file-change.ts'
import type { Rollback, DoneRollback } from './rollback.ts'
import type { PersonMessage } from './person-message.ts'
import type { Workflow } from '../workflow/workflow.ts'
import type { ApprovalMode } from './settings/approval-mode.ts'
import type { Todo } from './todo.ts'

/** Exactly four states. AWAITING_INPUT: an approval, plan or clarification is pending. */
export type RunState = 'IDLE' | 'PROCESSING' | 'AWAITING_INPUT' | 'CLOSED'

/** The status of a call. `signed`: answered and not started; the ends are those of `CallOutcome`. */
export type CallStatus = 'preparing' | 'waiting' | 'signed' | 'running' | CallOutcome

interface ItemBase {
  /** Stable within the session; use it as a key. */
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
  /** False: cut off before its end. */
  readonly complete: boolean
}

/** A picture in the result of a call. Its bytes are only in the log. */
export interface ResultPicture {
  readonly mediaType: ImagePart['mediaType']
  /** Size as stated by its base64. */
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
}

/** The run of a command in a copy. `outcome` null: it is running. Times in ms since 1970. */
interface CallCopy {
  readonly startedAt: number
  readonly endedAt: number | null
  readonly outcome: CopyOutcome | null
}

export interface CallItem extends ItemBase {
  readonly kind: 'call'
  readonly toolCallId: ToolCallId
  /** The step number, counted from 1; file reads of one round share a number. */
  readonly step: number
  readonly toolName: string
  readonly args: { readonly [key: string]: JsonValue } | null
  readonly status: CallStatus
  readonly effects: readonly Effect[]
  /** What it does once the open request is answered, if that came while it runs; `effects` are then those of the request. */
  readonly runs?: readonly Effect[]
  readonly approval: CallApproval | null
  readonly signedBy: Signer | null
  /** Absent: it did not run in a copy. */
  readonly copy?: CallCopy
  /** Absent: the command can run in a copy, or it was not tried. */
  readonly noCopy?: NoCopy
  readonly files: readonly FileChange[]
  /** Absent: none. */
  readonly folders?: readonly FolderChange[]
  /** The command that changed `files`. Absent: an edit tool, or nothing changed. */
  readonly madeBy?: MadeBy
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Null until the end. For an interrupted call: as long as it is known to have run, or null if unknown. */
  readonly durationMs: number | null
  readonly output: string
  readonly outputBlob: BlobRef | null
  /** What its result shows, in order; the bytes are asked for by their index. Absent: no pictures. */
  readonly pictures?: readonly ResultPicture[]
  readonly isError: boolean
  readonly details: JsonValue
  /** Live only: the last lines of a running command, and its bytes so far; for a subagent call, what the subagent is doing. */
  readonly tail: { readonly text: string; readonly bytes: number; readonly waitsForInput?: boolean } | null
}

export interface NoticeItem extends ItemBase {
  readonly kind: 'notice'
  readonly level: 'info' | 'error'
  readonly trouble: Trouble
}

/** The person undid changes to files. */
export interface RollbackItem extends ItemBase, Rollback {
  readonly kind: 'rollback'
}

/** The person took the conversation to another point: it continues as it was right after the event `to` (a seq). */
export interface MoveItem extends ItemBase {
  readonly kind: 'move'
  readonly to: number
}

/** An entry of the ledger. */
export type Item = UserItem | ProseItem | CallItem | NoticeItem | RollbackItem | MoveItem

/** What the model is writing right now; gone when its ASSISTANT_TURN is in the log. */
export interface LiveAnswer {
  readonly text: string
  readonly thinking: string
  readonly call: { readonly toolName: string; readonly chars: number } | null
  readonly sinceMs: number
  readonly waitingFor: Awaited | null
}

export interface Awaited {
  readonly what: string
  /** Both in ms since 1970. */
  readonly sinceMs: number
  readonly untilMs: number | null
  /** No request is running: after `untilMs` attempt number `attempt` starts, for this reason. */
  readonly retry?: Retry
}

export interface Retry {
  /** 2 for the first retry. */
  readonly attempt: number
  readonly why: string
  /** The failure's code. */
  readonly code: string
  /** When retries stop if the service keeps failing, in ms since 1970. */
  readonly givesUpAtMs: number
  /** Words of a broken answer, which the next attempt writes again. Left out: none. */
  readonly discardedWords?: number
}

/** A message the agent has not received yet. */
export interface QueuedInput extends PersonMessage {
  readonly inputId: string
  readonly delivery: 'steer' | 'queue'
  /**
   * True: no turn runs. It goes with the next turn: `steer` before its first request, `queue` after its end. Sent again under the same
   * `inputId` it starts a turn; withdrawn, its text can be edited.
   */
  readonly held: boolean
}

/** Everything the log says about a session: the fold of its events. */
export interface SessionState {
  readonly sessionId: SessionId
  readonly cwd: string
  readonly config: SessionConfigured
  /** Who answers after this turn, because a slash command set `config` for it. Absent: the same. */
  readonly afterTurn?: Answering
  /** Null: a person's session, not a subagent's. */
  readonly parent: ParentLink | null
  /** Null: it is no fork. */
  readonly forkedFrom: ForkLink | null
  /** The person's name for it, or `requestTitle`. */
  readonly title: string
  /** Made from the first request; empty before it. */
  readonly requestTitle: string
  readonly run: RunState
  /** Why the last turn ended; null while one runs or before the first. */
  readonly ended: 'completed' | 'stopped' | 'limit' | 'error' | 'interrupted' | null
  /** The newest ended turn; null before the first. `seq`: the event that ended it; `asks`: it ended with a question. */
  readonly turnEnd: { readonly seq: number; readonly asks: boolean } | null
  readonly startedAt: number
  readonly updatedAt: number
  /** Sequence number of the newest event folded in: a client's cursor. */
  readonly cursor: number
  readonly steps: number
  /** Answers of the model, including broken ones. */
  readonly answers: number
  readonly usage: Usage
  readonly costUsd: number | null
  /** Tokens of the newest request and its answer: what the next one starts with. */
  readonly context: number
  /** Compactions in force, newest last; that one can be undone. */
  readonly compactions: readonly CompactionReceipt[]
  /** The person undid a compaction: until the next one, none happens before the window is full. */
  readonly wholeWanted: boolean
  /** The undos in force, oldest first. */
  readonly rollbacks: readonly DoneRollback[]
  /** Where the conversation went back, oldest first; see `isInConversation`. */
  readonly moves: readonly DoneMove[]
  /** The seq of the event that started an undo without an end; null: none is open. */
  readonly rollingBack: number | null
  /** Calls without an end, in call order. */
  readonly open: readonly ToolCallId[]
  /** The newest request, its plan and how far it is; null before the first. */
  readonly workflow: Workflow | null
  /** The mode before the session went into mode `plan`; null: it began in it. */
  readonly modeBefore: ApprovalMode | null
  /** The agent's list, as it last wrote it. */
  readonly todos: readonly Todo[]
  /** Waiting messages, in order. */
  readonly queue: readonly QueuedInput[]
  /** Index of `items[0]` in the whole ledger; a client may hold only the last page. */
  readonly firstItem: number
  readonly items: readonly Item[]
  readonly live: LiveAnswer | null
}

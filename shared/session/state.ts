import type { ApprovalId, SessionId, ToolCallId } from '../lib/ids.ts'
import type { JsonValue, Usage } from './content.ts'
import type { Effect } from './effects.ts'
import type {
  ApprovalAnswer,
  BlobRef,
  CallOutcome,
  CompactionReceipt,
  FileChange,
  ParentLink,
  SessionConfigured,
  Said,
  Signer,
  Trouble,
} from './events.ts'
import type { Todo } from './todos.ts'

/** Exactly four (P2-06). AWAITING_INPUT exactly while an approval, plan or clarification is pending (D-42). */
export type RunState = 'IDLE' | 'PROCESSING' | 'AWAITING_INPUT' | 'CLOSED'

/** Where a call stands. `signed` has an answer and has not begun; the ends are those of `CallOutcome`. */
export type CallStatus = 'preparing' | 'waiting' | 'signed' | 'running' | CallOutcome

interface ItemBase {
  /** Stable within the session; use it as a key. */
  readonly id: string
  readonly at: number
}

export interface UserItem extends ItemBase, Said {
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

export interface CallApproval {
  readonly approvalId: ApprovalId
  readonly hash: string
  readonly reason: string
  readonly destructive: boolean
  readonly requestedAt: number
  readonly answeredAt: number | null
  readonly answer: ApprovalAnswer | null
}

export interface CallItem extends ItemBase {
  readonly kind: 'call'
  readonly toolCallId: ToolCallId
  /** The address of everything (look §1): calls count from 1; reads of one round share a number. */
  readonly step: number
  readonly toolName: string
  readonly args: { readonly [key: string]: JsonValue } | null
  readonly status: CallStatus
  readonly effects: readonly Effect[]
  readonly approval: CallApproval | null
  readonly signedBy: Signer | null
  readonly files: readonly FileChange[]
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Null until the end; of an interrupted call as long as it is known to have run, null when that is not known. */
  readonly durationMs: number | null
  readonly output: string
  readonly outputBlob: BlobRef | null
  readonly isError: boolean
  readonly details: JsonValue
  /** Live only: the last lines of a running command, and its bytes so far; of one that lends work, what the subagent does. */
  readonly tail: { readonly text: string; readonly bytes: number; readonly waitsForInput?: boolean } | null
}

export interface NoticeItem extends ItemBase {
  readonly kind: 'notice'
  readonly level: 'info' | 'error'
  readonly trouble: Trouble
}

/** An entry of the ledger. */
export type Item = UserItem | ProseItem | CallItem | NoticeItem

/** What the model is writing at this moment; gone when its ASSISTANT_TURN is in the log. */
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
  /** Nothing is under way: after `untilMs` the model is asked once more, the `attempt`-th time, because of this. */
  readonly retry?: Retry
}

export interface Retry {
  /** 2 for the first retry. */
  readonly attempt: number
  readonly why: string
  /** That of the failure. */
  readonly code: string
  /** When the retries end if the service goes on failing, in ms since 1970. */
  readonly givesUpAtMs: number
  /** Words of an answer that broke off, which the next attempt writes anew; left out: none. */
  readonly discardedWords?: number
}

/** A message that the agent has not got yet. */
export interface QueuedInput extends Said {
  readonly inputId: string
  readonly delivery: 'steer' | 'queue'
  /**
   * True: no turn runs that would take it. It goes with the next turn, `steer` before its first request and `queue` after its end; sent
   * again under the same `inputId` it begins one at once, and withdrawn its text is the person's to change.
   */
  readonly held: boolean
}

/** All that the log says of a session: the fold of its events. */
export interface SessionState {
  readonly sessionId: SessionId
  readonly cwd: string
  readonly config: SessionConfigured
  /** Null: a person's session, no subagent's. */
  readonly parent: ParentLink | null
  /** The person's own name for it, else `requestTitle`. */
  readonly title: string
  /** Short, made from the first request; empty before that. */
  readonly requestTitle: string
  readonly run: RunState
  /** Why the last turn ended; null while one runs or before the first. */
  readonly ended: 'completed' | 'stopped' | 'limit' | 'error' | 'interrupted' | null
  /** Of the newest turn that ended: null before the first. `seq`: the event that ended it; `asks`: its last words are a question. */
  readonly turnEnd: { readonly seq: number; readonly asks: boolean } | null
  readonly startedAt: number
  readonly updatedAt: number
  /** Sequence number of the newest event folded in: the cursor of a client. */
  readonly cursor: number
  readonly steps: number
  /** Answers of the model, broken ones included (T-15). */
  readonly answers: number
  readonly usage: Usage
  readonly costUsd: number | null
  /** Tokens of the newest request together with its answer: what the next one begins with. */
  readonly context: number
  /** Compactions in force, the newest last: it is the one that can be undone. */
  readonly compactions: readonly CompactionReceipt[]
  /** The person undid a compaction: until the next one, none is made before the window is full. */
  readonly wholeWanted: boolean
  /** Calls that have no end yet, in call order. */
  readonly open: readonly ToolCallId[]
  /** The agent's own list, as it last wrote it. */
  readonly todos: readonly Todo[]
  /** Messages that wait, in the order in which they were given. */
  readonly queue: readonly QueuedInput[]
  /** Index, in the whole ledger, of `items[0]`: a client may hold only the last page. */
  readonly firstItem: number
  readonly items: readonly Item[]
  readonly live: LiveAnswer | null
}

import type { ReasonText } from '../reason.ts'
import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import type { JsonValue, ModelContent } from '../../../shared/session/content.ts'
import type { Effect, QuestionEffect } from '../../../shared/session/effects.ts'
import type { ApprovalAnswer, BlobRef, SeenLines } from '../../../shared/session/events.ts'
import type { ExecResult, ExecutionEnvironment, RunningTerminal } from './execution-environment.ts'
import type { LayerChanges, LayerOwner } from './layers.ts'
import type { ToolDefinition } from './provider.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Course, Workflow } from '../../../shared/workflow/workflow.ts'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import type { Todo } from '../../../shared/session/todo.ts'

/** What a call may read of its session, and the few things it may change there. */
export interface CallSession {
  mode(): ApprovalMode
  /** The mode is in the log when this returns. Waiting calls are judged again. Throws `StorageError`. */
  setMode(mode: ApprovalMode): void
  course(): Course
  /** The newest request, its plan, and the progress of the plan. Null before the first request. */
  workflow(): Workflow | null
  /** The mode to return to from plan mode. */
  modeBefore(): ApprovalMode
  todos(): readonly Todo[]
  /** The todos are in the log when this returns. Throws `StorageError`. */
  setTodos(todos: readonly Todo[]): void
  /** The complete text output of an earlier call of this session, however much of it the model saw. Null if there is no such call. */
  outputOf(toolCallId: string): string | null
  /**
   * Whether the user, or the output of an earlier call, mentioned the address in one of these forms. What the model wrote does not count.
   */
  mentions(forms: readonly string[]): Promise<boolean>
}

/** A call's result: `output` for the model, `details` for the screen. */
export interface ToolOutput {
  readonly output: ModelContent
  /** If true, the result is marked as failed for the model. */
  readonly isError: boolean
  readonly details: JsonValue
  /** What people see, if it differs from `output`. The screen shows some facts in its own way, but the model needs these facts in words. */
  readonly shown?: string
  /** The end of `output` that says what else is possible: which tools exist, which arguments a tool takes. People see it on demand. */
  readonly advice?: string
  /** The complete text in the blob store, if it was too long for memory and `output` contains only its head and tail. */
  readonly whole?: BlobRef
  /** Number of characters missing from `output` because the text was too long for memory. */
  readonly missing?: number
  /** The change set of a layer. It is judged and applied before this result takes effect. */
  readonly layerChanges?: { readonly owner: LayerOwner; readonly changes: LayerChanges }
  /** How long the work took, in ms, if it was done before this call was committed. */
  readonly durationMs?: number
}

/**
 * Files as they will be once the earlier calls of the round have run: from the overlay, otherwise from disk. `path` is a real path. Null
 * if there is no such file. Rejects like `readBytes`.
 */
export interface FileView {
  read(path: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array | null>
}

export interface PrepareContext {
  readonly env: ExecutionEnvironment
  readonly files: FileView
  readonly signal: AbortSignal
  /** Stores bytes by content, so that effects can refer to them. */
  keep(bytes: Uint8Array): Promise<BlobHash>
  /**
   * The hash of the content that the agent last read or wrote in this session. Null if it never did. Used for "read before write" and
   * "changed since you read it".
   */
  seen(path: string): BlobHash | null | Promise<BlobHash | null>
  /** Which lines the agent saw, if a read showed only a part. Null if it saw all, or if `seen` is null. */
  seenLines(path: string): SeenLines | null
  readonly session: CallSession
  /** Time limits of commands, in ms. */
  readonly limits: CommandLimits
  /** Variables that hooks set for all commands of the session. If absent, there are none. */
  readonly variables?: Readonly<Record<string, string>>
  /** The facts about a path that the policy needs: inside or outside the folder, control file, short form for the screen. */
  place(path: string): Promise<PathFacts>
}

export interface CommandLimits {
  /** The time limit that the user has set for commands, if any. */
  readonly sessionCommandMs?: number | undefined
  /** The provider profile's time limit for commands. */
  readonly defaultCommandMs: number
  /** The provider profile's time limit for tests, builds and installs. Default: `defaultCommandMs`. */
  readonly longCommandMs?: number | undefined
  readonly maxCommandMs: number
}

export interface PathFacts {
  readonly path: string
  readonly shown: string
  readonly outside: boolean
  readonly control: boolean
}

export interface RunContext {
  readonly env: ExecutionEnvironment
  /**
   * Whether each command of `env` runs in a copy of the folder. A command whose `way` is `shell` runs with the state of the session's
   * bash.
   */
  readonly inCopy?: boolean
  readonly signal: AbortSignal
  readonly toolCallId: ToolCallId
  /** The bytes of a blob to which an effect refers. */
  bytes(hash: BlobHash): Promise<Uint8Array>
  /**
   * Records which content of a file the agent has now seen, and returns its hash. `content`: the bytes or their hash. `lines`: which part
   * it has seen, if not all.
   */
  saw(path: string, content: Uint8Array | BlobHash, lines?: SeenLines): BlobHash
  readonly session: CallSession
  /** What the user said with the signature. If absent, the user only signed. */
  readonly reply?: SignatureReply
  /**
   * Asks the user while the call runs, and waits without a time limit. Null if nobody answered because the call or the turn ended, or if
   * the mode does not allow questions.
   */
  ask(effect: QuestionEffect): Promise<ApprovalAnswer | null>
  /**
   * Replaces the conversation by a summary before the next request. `instructions`: what the summary should keep. Absent if the call has no
   * conversation.
   */
  compact?(instructions: string): void
  /** From the next request on, the model gets these deferred tools. */
  offer(names: readonly string[]): void
  /** Publishes live output: the last lines, the number of bytes so far, and whether the command waits for input. */
  progress(tail: string, bytes: number, waitsForInput?: boolean): void
  /**
   * The size of the pty in which commands run. The pty is passed to `onOpen`, so that windows can show it. Null if commands run on pipes.
   */
  readonly terminal: {
    readonly columns: number
    readonly rows: number
    readonly onOpen: (terminal: RunningTerminal) => void
    /** Whether there is no window in which a person could type into it. Default: false. */
    readonly isUnattended?: boolean
  } | null
  /** Call this when a command that outlives the call has ended. Resolves when its changes, and whether it failed, are in the log. */
  endedLater?(command: string, result: ExecResult): Promise<void>
  /** Stores a large output as a blob as it arrives, with bounded memory. */
  openSpool(): Spool
}

export interface Spool {
  write(bytes: Uint8Array): void
  /** Null if nothing was written. `capped`: whether the store's limit was reached and the rest was dropped. */
  end(): { readonly hash: BlobHash; readonly bytes: number; readonly capped: boolean } | null
}

/** The result of `prepare`: the effects and how to carry them out, or the end of the call. Nothing has been changed yet. */
export type Prepared =
  /**
   * If `effects` is empty, the call only reads, and runs at once. `commit` does exactly what the effects say, or fails if things have
   * changed.
   */
  | { readonly kind: 'ready'; readonly effects: readonly Effect[]; commit(run: RunContext): Promise<ToolOutput> }
  | { readonly kind: 'rejected'; readonly output: ToolOutput }

interface InvalidArguments {
  readonly ok: false
  readonly failure: ReasonText
  readonly advice?: string
}

/** A tool states its effects before it causes them. */
export interface Tool {
  readonly definition: ToolDefinition
  /**
   * The definition under which models of this family know the tool, if it differs. Calls with that name and those arguments are calls of
   * this tool.
   */
  readonly offered?: ToolDefinition
  /** Whether the definition comes from an MCP server or the host program, so that the agent can work without the tool. Default: false. */
  readonly isForeign?: boolean
  /** Other names by which the tool can be called. The log and the screen use only its own name. */
  readonly otherNames?: readonly string[]
  /** Whether a call with one of the other names and these arguments means this tool. Default: always. */
  isMeant?(calledAs: string, args: Readonly<Record<string, unknown>>): boolean
  /** Renames arguments to the tool's own names, for the log and the screen. Accepts whatever a model sent. */
  canonicalArguments?(args: { readonly [key: string]: JsonValue }): { readonly [key: string]: JsonValue }
  /** Validates the parsed arguments. A failure is a sentence the model can act on, with `advice` about the arguments that are valid. */
  validate(args: unknown): { readonly ok: true; readonly value: unknown } | InvalidArguments
  /** `args` is the result of `validate`. Changes nothing. Rejects only for bugs and aborts. */
  prepare(args: unknown, context: PrepareContext): Promise<Prepared>
}

/** Tools by name. The latest registration wins. Every session has its own copy. */
export interface ToolRegistry {
  register(tool: Tool): void
  unregister(name: string): void
  /**
   * `args`: the parsed arguments, needed because several tools share some names. If left out, the first tool with that name is returned.
   */
  get(name: string, args?: unknown): Tool | null
  definitions(): readonly ToolDefinition[]
  /** Lists these deferred tools from now on. Names of other tools are ignored. */
  offer(names: readonly string[]): void
  list(): readonly Tool[]
}

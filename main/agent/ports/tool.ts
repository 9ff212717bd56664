import type { BlobHash, ToolCallId } from '../../../shared/lib/ids.ts'
import type { JsonValue, ModelContent } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { BlobRef, SeenLines } from '../../../shared/session/events.ts'
import type { CallSession } from './call-session.ts'
import type { ExecutionEnvironment, RunningTerminal } from './execution-environment.ts'
import type { ToolDefinition } from './provider.ts'

/** Two faces (DESIGN §4): `output` for the model, `details` for the screen. */
export interface ToolOutput {
  readonly output: ModelContent
  /** True: the model is told that the call failed (T-04). */
  readonly isError: boolean
  readonly details: JsonValue
  /** What people see of it, where that differs: the model is told in words what a screen shows in its own way. */
  readonly shown?: string
  /** The whole text in the blob store, where `output` is only its head and tail because it was too long to be held in memory. */
  readonly whole?: BlobRef
  /** Characters by which `output` is shorter than what the tool put out, for the same reason. */
  readonly missing?: number
}

/**
 * Files as they will stand when the earlier calls of the round have been carried out: bytes of the overlay where there are any,
 * else of the disk. `path` is a real path. Null: no such file. Rejects as `readBytes` does.
 */
export interface FileView {
  read(path: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array | null>
}

export interface PrepareContext {
  readonly env: ExecutionEnvironment
  readonly files: FileView
  readonly signal: AbortSignal
  /** Puts bytes into the content-addressed store, so that effects can name them. */
  keep(bytes: Uint8Array): BlobHash
  /** What the agent saw of a file when it last read or wrote it in this session; null: never (read-before-write, "changed since you read it"). */
  seen(path: string): BlobHash | null
  /** Which lines of it, where a read showed only a part. Null: all of it, or `seen` is null. */
  seenLines(path: string): SeenLines | null
  readonly session: CallSession
  /** Time limits of commands in ms (D-46). */
  readonly limits: CommandLimits
  /** Fills in the facts about a path that policy judges by: inside or outside, control file, the short form for the screen. */
  place(path: string): Promise<PathFacts>
}

export interface CommandLimits {
  /** What the user set for the session, if anything. */
  readonly sessionCommandMs?: number | undefined
  /** The profile's. */
  readonly defaultCommandMs: number
  /** The profile's for tests, builds and installs; left out: the same. */
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
  readonly signal: AbortSignal
  readonly toolCallId: ToolCallId
  /** Bytes of a blob that an effect names. */
  bytes(hash: BlobHash): Uint8Array
  /** Notes what the agent has now seen of a file; the hash of its whole content. `lines`: where it was not all of it. */
  saw(path: string, content: Uint8Array, lines?: SeenLines): BlobHash
  readonly session: CallSession
  /** Live output for whoever watches: the last lines as they stand, the bytes so far, and whether it waits for somebody to type. */
  progress(tail: string, bytes: number, waitsForInput?: boolean): void
  /** Where a window can watch, the agent's commands run in a pty that is offered here; null: on pipes. */
  readonly terminal: { readonly columns: number; readonly rows: number; readonly onOpen: (terminal: RunningTerminal) => void } | null
  /** Stores a large raw output as a blob while it comes, with bounded memory. */
  openSpool(): Spool
}

export interface Spool {
  write(bytes: Uint8Array): void
  /** Null when nothing was written. `capped`: the store's limit was reached and the rest was dropped. */
  end(): { readonly hash: BlobHash; readonly bytes: number; readonly capped: boolean } | null
}

/** The outcome of `prepare`: effects and how to carry them out, or the end of the call. Nothing has been touched. */
export type Prepared =
  /** `effects` empty: the call only reads, and runs at once. `commit` does exactly that, or ends as failed when the world has moved. */
  | { readonly kind: 'ready'; readonly effects: readonly Effect[]; commit(run: RunContext): Promise<ToolOutput> }
  | { readonly kind: 'rejected'; readonly output: ToolOutput }

/** A tool shows its effects before it has any (DESIGN §3). */
export interface Tool {
  readonly definition: ToolDefinition
  /** As the model's family knows it, where that differs; calls by that name and with those arguments are its own. */
  readonly offered?: ToolDefinition
  /** Names by which models may call it beside its own (D-51); the log and the screen know its own only. */
  readonly otherNames?: readonly string[]
  /** Whether a call by one of the other names with these arguments means this tool; left out: it always does. */
  isMeant?(calledAs: string, args: Readonly<Record<string, unknown>>): boolean
  /** Arguments by the tool's own names for them, for the log and the screen; whatever a model sent. */
  ownArguments?(args: { readonly [key: string]: JsonValue }): { readonly [key: string]: JsonValue }
  /** Checks the parsed arguments; a failure is a sentence that a model can act on. */
  validate(args: unknown): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: string }
  /** `args` is what `validate` returned. Touches nothing. Rejects only for bugs and aborts. */
  prepare(args: unknown, context: PrepareContext): Promise<Prepared>
}

/** The one mutable collection of this kind (P2-02, P2-35): keyed on the name, latest wins; every session has its own copy (T-06). */
export interface ToolRegistry {
  register(tool: Tool): void
  unregister(name: string): void
  /** `args`: the parsed arguments of the call, since some names stand for several tools; left out: the first tool of that name. */
  get(name: string, args?: unknown): Tool | null
  definitions(): readonly ToolDefinition[]
  list(): readonly Tool[]
}

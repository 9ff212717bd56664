import type { Effect } from '../../../shared/session/effects.ts'
import type { FileChange, FolderChange, MadeBy, UnreadFile } from '../../../shared/session/file-change.ts'
import type { ApprovalId, BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { Amending } from '../ports/amending.ts'
import type { RunningCallTraces } from '../ports/running-call-traces.ts'
import type { Clock } from '../ports/clock.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { CommandCopies, CopiedBash, KeptChangeSet } from '../ports/command-copies.ts'
import type { AppliedChange, CommandsInLayer, LayerChanges } from '../ports/layers.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { FolderDocuments } from '../ports/folder-documents.ts'
import type { Hooks } from '../ports/hooks.ts'
import type { Redactor } from '../ports/redactor.ts'
import type { Policy } from '../ports/policy.ts'
import type { PathFacts, PrepareContext, RunContext, Spool, ToolRegistry } from '../ports/tool.ts'

export interface Captured {
  readonly files: readonly FileChange[]
  /** If absent, no folder changed. */
  readonly folders?: readonly FolderChange[]
  readonly unread: readonly UnreadFile[]
  /** If absent, no command made the changes. */
  readonly madeBy?: MadeBy
}

/**
 * The bytes of files before a step runs: the files that the step lists or, for a command that runs for real, all files in the folder.
 * `changes` reads the files again after the step and returns the differences.
 */
export interface Capture {
  /**
   * Never rejects: a file that can no longer be read or stored is listed as unread. For a command that continues in the background, the
   * result says that its changes are not known yet.
   */
  changes(): Promise<Captured>
  /**
   * Returns the changes after a background command has ended. `others`: the files that steps have changed in the meantime. Never rejects.
   */
  afterBackground(others: readonly FileChange[]): Promise<Captured>
  /** Called instead of `changes` for a step that did not run. */
  drop(): void
}

/** The copies in which commands run before the user is asked. */
export interface Copies {
  readonly commands: CommandCopies
  readonly bash: CopiedBash
  /**
   * Rebases a subagent's changes onto the current folder. `kept`: files that are in conflict but cannot be merged line by line. They are
   * left unchanged.
   */
  rebase(
    changes: LayerChanges,
  ): Promise<{ readonly changeSet: KeptChangeSet; readonly effects: readonly Effect[]; readonly kept: readonly string[] }>
  /** Notes in the layer of session `from` which of its changes were applied to the folder, so that they are not brought in again. */
  broughtIn(from: SessionId, own: LayerChanges, applied: readonly AppliedChange[]): Promise<void>
  /** Removes a subagent's copy, once the subagent's changes are in the log. */
  removeLayer(agentId: SessionId): Promise<void>
  /** Returns what a command did in its copy, as effects. The bytes before and after are in the blob store. */
  effectsOf(changeSet: KeptChangeSet): Promise<readonly Effect[]>
}

interface WhoChanged {
  readonly sessionId: SessionId
  readonly title: string
  readonly step: number | null
  readonly after: BlobHash | null
}

/** Everything outside the agent that dispatch needs. */
export interface DispatchParts {
  readonly registry: ToolRegistry
  readonly env: ExecutionEnvironment
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly policy: Policy
  readonly limits: PrepareContext['limits']
  /** Whether calls without effects may run at the same time. */
  readonly parallel: boolean
  /** Applied to all output before the log, the screen and the model get it. */
  readonly redactor: Redactor
  openSpool(): Spool
  place(path: string): Promise<PathFacts>
  /** What a signature applies to: a hash of exactly what would be executed or written. */
  effectHash(effects: readonly Effect[]): string
  capture(effects: readonly Effect[]): Promise<Capture>
  /**
   * The newest change to a file that any session recorded after this request was made. `step` is null for an undo, `after` is the hash of
   * the new content. If left out, it is not known who changed a file.
   */
  changeSince?(approvalId: ApprovalId, path: string): WhoChanged | null
  readonly amending: Amending
  /** Null if commands can only run for real or in a layer. */
  readonly copies: Copies | null
  /** How commands run in the session's layer. If left out, they do not run in a layer. */
  readonly inLayer?: CommandsInLayer | undefined
  /**
   * The workspace's write lock. Runs one piece of work at a time, in order of arrival. Rejects with the signal's reason if aborted while
   * waiting.
   */
  exclusively<T>(work: (hasWaited: boolean) => Promise<T>, signal: AbortSignal): Promise<T>
  /**
   * Shortens a long text for the model. `toolCallId`: lets the model read the rest. `missing`: the number of characters already missing
   * from `output`.
   */
  truncate(toolName: string, output: string, toolCallId?: ToolCallId, missing?: number): string
  terminal(toolCallId: ToolCallId): RunContext['terminal']
  /** If left out, the agent gets only the instructions of the project folder, which are in the prompt, and none from its subfolders. */
  readonly folderDocuments?: FolderDocuments | undefined
  /** If left out, there are no hooks. */
  readonly hooks?: Hooks | undefined
  readonly traces: RunningCallTraces
}

import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { LeftInLayer } from '../../../shared/session/file-change.ts'
import type { BroughtFrom } from '../../../shared/session/effects.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { BlockedHost, CommandCopies, StandingEntry, TrafficWatch } from './command-copies.ts'
import type { ExecutionEnvironment } from './execution-environment.ts'
import type { FolderComparison } from './folder-comparison.ts'

/** A file or a symbolic link. The content of a link is its target. `size` is in bytes. */
export interface LayerFile {
  readonly hash: BlobHash
  readonly size: number
  /** Permission bits. Null for a link. */
  readonly mode: number | null
}

/**
 * A file that differs between a layer and its folder. `base`: the file on which the layer's version is based. `own`: the file in the
 * layer. Either is null if the file does not exist there.
 */
export interface LayerChange {
  /** Relative to the folder. */
  readonly path: string
  readonly base: LayerFile | null
  readonly own: LayerFile | null
}

/** Records on which version of the folder's file the layer's file is based. */
export interface LayerBase {
  /** Relative to the folder. */
  readonly path: string
  /** Null if the folder had no such file. */
  readonly base: LayerFile | null
  /**
   * What is about to be written to the layer, or null for a deletion. Until the layer contains it, the earlier base stays in force. If left
   * out, the new base is in force at once.
   */
  readonly own?: LayerFile | null
}

/**
 * A file of the folder that was changed by bringing in a layer's work. `path` is relative to the folder. `isWhole`: whether all of its
 * change was signed, as it was proposed.
 */
export interface AppliedChange {
  readonly path: string
  readonly before: LayerFile | null
  readonly after: LayerFile | null
  readonly isWhole: boolean
}

/** The change set of a layer, without ignored files and anything in `.git`. The bytes of its files are in the blob store. */
export interface LayerChanges {
  readonly version: 1
  /** The real path of the folder. */
  readonly folder: string
  readonly files: readonly LayerChange[]
  /** Other differences, sorted by path. `moved` does not return them, and earlier versions did not store them. */
  readonly leftOut?: readonly LeftInLayer[]
}

/** The session that has changed a layer. */
export type LayerOwner =
  | { readonly kind: 'subagent'; readonly agentId: SessionId; readonly agentType: string }
  | ({ readonly kind: 'session' } & BroughtFrom)

/** Commands that run in a layer itself, which confines them. */
export interface CommandsInLayer {
  /** Finds what a command has changed in the layer. */
  readonly comparison: FolderComparison
  /**
   * Call this before a command, and dispose of the result when the command has ended. Until then, `onHost` decides about the hosts that
   * programs in the layer want to reach, unless another command has begun since. `blocked`: the hosts that it has refused. If the rules for
   * programs have changed, everything that runs in the layer ends first, unless `keepsRunning` is set.
   */
  begin(
    onHost: (asked: BlockedHost) => Promise<boolean>,
    options?: { readonly keepsRunning: boolean },
  ): Promise<Disposable & { readonly blocked: readonly BlockedHost[] }>
  /** Returns the names of what was ended in the layer because the rules for programs have changed. Each is returned once. */
  takeEnded(): readonly string[]
  /**
   * What the layer has to do with the failure of a command. `why`: the reason, as a sentence, if the layer is the reason. `port`: a port of
   * this machine that the command did not reach, if something listens there. Both are null if the layer has nothing to do with it.
   */
  whyFailed(failed: FailedInLayer): Promise<{ readonly why: string | null; readonly port: number | null }>
  /** Lets programs in the layer reach a port of this machine at `127.0.0.1`, until everything in the layer ends. */
  forward(port: number): Promise<void>
  /**
   * Makes `traffic` follow the requests of programs in the layer until disposed. One watch at a time. Absent for a layer on another
   * machine, where requests cannot be followed.
   */
  readonly watch?: (traffic: TrafficWatch) => Disposable
}

/** How a command in a layer has failed. `blocked`: the hosts that were refused. */
interface FailedInLayer {
  readonly exitCode: number | null
  /** The end of what it printed. */
  readonly text: string
  readonly cwd: string
  readonly blocked: readonly BlockedHost[]
}

/** A layer in which a session works. */
export interface OpenedLayer {
  /**
   * The files and programs of the layer, at the folder's own path. Starts nothing until it is used. `cleanup` ends everything that runs in
   * the layer. After that, or if it was killed, the next call starts what is needed again.
   */
  readonly environment: ExecutionEnvironment
  /** Null if commands run in `copies`. */
  readonly inside: CommandsInLayer | null
  /** Copies of the layer, and what applies changes to it. If commands run inside, no copies can be made. */
  readonly copies: CommandCopies
  /** The layers over this layer, in which the subagents of its session write. */
  readonly layers: Layers
  /**
   * Compares the layer before and after a command. Present only if commands in the layer are not confined, so that they could also change
   * files outside of it.
   */
  readonly unconfined?: FolderComparison
}

/**
 * The layers of one folder. A layer is a copy-on-write view of the folder in which one session works: a subagent that writes, or a session
 * beside the folder. It stays on disk until it is removed, even after a restart. The folder changes only by what the user signs.
 */
export interface Layers {
  /** Why there cannot be layers, as a sentence. Null if there can. */
  missing(): Promise<string | null>
  /** Why each new layer is a clone of the folder, which takes time and space, as a sentence. Null if it is not. */
  whyClones(): Promise<string | null>
  /** Why commands in new layers are not confined, as a sentence. Null if they are. */
  whyUnconfined(): Promise<string | null>
  /** Makes the layer of a session. If it fails, rejects with a coded failure and leaves nothing behind. */
  make(sessionId: SessionId, signal: AbortSignal): Promise<void>
  /** Makes the layer of a session, unless it has one. `from`: the session whose layer it continues, if that session has one. */
  makeIfMissing(sessionId: SessionId, from?: SessionId): Promise<void>
  /** Opens the layer of a session. All sessions that work in it must share the result, because only one process may use a layer. */
  open(sessionId: SessionId): Promise<OpenedLayer>
  /**
   * Returns what the session has changed in its layer. Nothing if it has no layer. A file that is the same in the layer and in the folder
   * is no change, and is based on this version from then on.
   */
  changes(sessionId: SessionId): Promise<LayerChanges>
  /** Returns what has changed in the folder since the layer was made, or since the base of the file was set. `own` is the folder's file. */
  moved(sessionId: SessionId): Promise<LayerChanges>
  /** From now on, the layer's files are based on these. Their bytes are in the blob store. Does nothing if the session has no layer. */
  rebase(sessionId: SessionId, bases: readonly LayerBase[]): Promise<void>
  /** Returns what the folder contains now at these relative paths, in their order, and the folder's device number. */
  entriesOf(paths: readonly string[]): Promise<{ readonly entries: readonly (StandingEntry | null)[]; readonly device: string }>
  /** The same for what the layer contains. */
  entriesIn(sessionId: SessionId, paths: readonly string[]): ReturnType<Layers['entriesOf']>
  remove(sessionId: SessionId): Promise<void>
  /** Ends everything that runs in the layers. */
  close(): Promise<void>
}

import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { GitChange } from '../../../shared/session/git-change.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { SetAside } from '../../../shared/session/file-change.ts'
import type { Confinement, ExecOptions, ExecResult } from './execution-environment.ts'

/**
 * Whether commands can run in a copy on this machine. Determined once. `wayOut`: one line that tells what the user can do, with the
 * command to type if there is one.
 */
export type CopySupport = { readonly kind: 'present' } | { readonly kind: 'absent'; readonly reason: string; readonly wayOut: string }

/**
 * `mode`: permission bits. `hash`: SHA-256 of the bytes in hex. Sizes are in bytes, times in ms since 1970. `owner`: user and group as
 * `uid:gid`, set only if this process runs as root and the file is not root's. If absent, the file belongs to the user. A replaced file
 * keeps its owner.
 */
export type CopiedEntry =
  | ({ readonly kind: 'file'; readonly mode: number; readonly size: number; readonly hash: string; readonly mtimeMs: number } & Owned)
  | ({ readonly kind: 'link'; readonly target: string } & Owned)
  | ({ readonly kind: 'folder'; readonly mode: number } & Owned)
  | IgnoredTree

interface Owned {
  readonly owner?: string
}

/**
 * A complete new folder that git ignores, such as `node_modules`. It is moved to its place unchanged, and its files are only counted.
 * `bytes`: total size of the files. `hash`: hash of their paths, sizes, modes and times. `held`: the path below the folder of copies
 * where the tree waits. Empty if it is still in its copy.
 */
export interface IgnoredTree {
  readonly kind: 'tree'
  readonly mode: number
  readonly files: number
  readonly bytes: number
  readonly hash: string
  readonly held: string
}

/** The state of the entry in the real folder. A change is applied only while the same inode has the same content. */
export type StandingEntry = Exclude<CopiedEntry, IgnoredTree> & { readonly inode: string }

/**
 * A change to one path, relative to the folder. If an entry is replaced by an entry of another kind, there is a deletion, followed by a
 * creation.
 */
export type CopyChange =
  | {
      readonly kind: 'created'
      readonly path: string
      readonly after: CopiedEntry
      /** The path of a deleted file with the same bytes. */ readonly movedFrom?: string
    }
  | { readonly kind: 'modified'; readonly path: string; readonly before: StandingEntry; readonly after: CopiedEntry }
  | { readonly kind: 'deleted'; readonly path: string; readonly before: StandingEntry }

/** Why no part of a change set can be applied. */
export type CopyObstacle =
  | { readonly kind: 'changed-meanwhile' | 'unreadable-file' | 'unreadable-name' | 'unreadable-link' | 'long-path'; readonly path: string }
  | { readonly kind: 'too-many-files' | 'too-many-bytes'; readonly limit: number }
  /** The change set would remove something that no signature may remove. `what`: a description in words. */
  | { readonly kind: 'blocked'; readonly what: string }
  /** The command was stopped partway, so its changes may be incomplete. */
  | { readonly kind: 'stopped'; readonly reason: string }

/** `hard-link`: the file is no longer linked to its other names. `attributes`: extended attributes. */
export type LeftOut = 'socket' | 'fifo' | 'device' | 'set-id-bits' | 'hard-link' | 'attributes' | 'owner'

/** What a command did to the folder, sorted by path, parents before their contents. */
export interface CopyChangeSet {
  readonly changes: readonly CopyChange[]
  /** Empty if the change set can be applied. */
  readonly obstacles: readonly CopyObstacle[]
  /** Changes that are never applied. They are listed in the result for the agent and in the ledger. */
  readonly leftOut: readonly { readonly path: string; readonly what: LeftOut }[]
}

/**
 * A change set as plain JSON, which can wait for an answer and can be applied after a restart. The bytes of files are in the blob store
 * under their `hash`. A caller may replace an `after` with another one, for example when the user corrects the text before signing.
 */
export interface KeptChangeSet extends CopyChangeSet {
  readonly version: 1
  /** The real path of the folder to which the change set applies. */
  readonly folder: string
  /** The device number of the folder when the command ended. It may be different after a restart of the machine. */
  readonly device: string
}

/** A host that a command tried to reach through the proxy and that was refused. */
export interface BlockedHost {
  readonly host: string
  readonly port: number
}

/** Follows the requests that programs send to hosts that they may reach. */
export interface TrafficWatch {
  /**
   * Called before each request, which waits until this resolves. Null refuses the request. `onAnswer` gets the bytes of the answer as they
   * arrive, if the connection is not encrypted. Must not reject.
   */
  onRequest(host: BlockedHost): Promise<{ onAnswer(bytes: Uint8Array): void } | null>
}

export interface HostOptions {
  /** Names of hosts that can be reached through the proxy. `*.example.org` means any subdomain. */
  readonly hosts?: readonly string[]
  /**
   * Called for every host that is not in `hosts`, once per run, while the connection waits. If it returns true, the connection is allowed.
   * If left out, the other hosts are refused at once.
   */
  readonly onHost?: (asked: BlockedHost) => Promise<boolean>
  /** Called for each connection. Returns null if nobody follows its requests. */
  readonly traffic?: () => TrafficWatch | null
}

interface DenialOptions {
  /**
   * Patterns of rules for files. What they match can be neither read nor changed by the command. Relative to the folder, as in a
   * `.gitignore`; `//` begins at the root of the disk, `~/` at the home folder.
   */
  readonly denied?: readonly string[]
}

export interface ConfineOptions extends HostOptions, DenialOptions {
  /** Absolute paths of files and folders that can be read although they are otherwise hidden. Paths that do not exist are ignored. */
  readonly visible?: readonly string[]
  /**
   * What the confined program belongs to. If the app is killed, and its next launch finds control files that the program created, the
   * message to the user names this owner.
   */
  readonly owner?: ConfinementOwner
}

/** What runs confined. */
export interface ConfinementOwner {
  /** The session that the commands belong to. Null if they belong to several sessions. */
  readonly sessionId: string | null
  /** What runs, in words for the user, such as the first line of a command. */
  readonly what: string
}

/** What a signed step writes. `path`: absolute. `hash`: SHA-256 of the bytes in hex. For a link, the hash of its target. */
export interface SignedFile {
  readonly path: string
  readonly hash: string
}

/** Passed to the environment as `confinement`. Any number of commands may be started with it. */
export interface Confined extends Confinement {
  readonly blocked: readonly BlockedHost[]
  /**
   * Moves control files that appeared since the confinement began out of the folder, and returns them. A replaced control file is moved
   * too, and its earlier version is put back. Not moved: files with the content of a signed step or of git's index, and files that
   * certainly changed before `since` (ms since 1970).
   */
  setAside(since?: number): Promise<readonly SetAside[]>
  /**
   * Call this with the current time before running a program that may make control files. If the app is killed before the result is
   * disposed or the confinement is closed, the app's next launch does what `setAside` would have done. Files that changed more than 10 s
   * after the app's last sign of life are not moved.
   */
  suspect(since: number): Disposable
  /** Closes the connection to the hosts. Call it when the commands have ended. */
  close(): Promise<void>
}

/** The state that one bash passes on to the next: a script that restores it, and the folder (real path). */
export interface BashState {
  readonly script: string
  readonly folder: string
}

/**
 * The bash of a session whose commands run in copies. The folder, variables, functions, options and aliases that one command leaves are
 * available to the next command. They are kept only in memory, because they may contain secrets.
 */
export interface CopiedBash {
  /** Null if the next command starts a new bash. */
  state(): BashState | null
  /** Sets the state with which the next command starts. */
  adopt(state: BashState): void
}

/**
 * How the same command could succeed in another copy. `local-port`: with access to this port of the machine, on which something listens.
 * `filled`: in a copy in which folders of the project can be renamed. `without-hard-links`: in a copy in which no hard link can be
 * created, because a program noticed that the link to an older file is another file.
 */
export type SecondTry =
  | { readonly kind: 'local-port'; readonly port: number }
  | { readonly kind: 'filled' }
  | { readonly kind: 'without-hard-links' }

export interface CopyOptions extends Omit<ExecOptions, 'onStart' | 'confinement'>, HostOptions, DenialOptions {
  /**
   * Makes the commands share the state of one bash. `before` is the `stateAfter` of the last command, or null for a new shell. Variables,
   * functions, options and aliases are passed on. Jobs, descriptors and traps are not. If `workingDir` is given, it replaces the folder of
   * the state.
   */
  readonly state?: { readonly before: BashState | null }
  /** TCP ports of this machine that the command reaches at `127.0.0.1`. If left out, there are none. */
  readonly localPorts?: readonly number[]
  /**
   * Whether the folder is copied before the command starts (without `.git` and ignored files), so that folders can be renamed. This takes
   * longer.
   */
  readonly isFilled?: boolean
  /** If false, creating a hard link fails. Default: true. */
  readonly hasHardLinks?: boolean
  /** Maximum number of bytes that the command may write into the folder. A command that writes more is stopped. Default: 2 GB. */
  readonly maxBytes?: number
}

export type ApplyOutcome =
  | { readonly kind: 'applied' }
  /**
   * The change set was not applied. `path`: the first path in an unexpected state, if there is one. `notUndone`: set if some operations
   * were carried out and could not be undone. The next launch tries again to undo them.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly path: string | null; readonly notUndone?: Trouble }

/** Stores bytes, and returns their hash. */
export type StoreBytes = (bytes: Uint8Array) => BlobHash | Promise<BlobHash>

/** A path below the folder. */
export interface PathInside {
  readonly path: string
  readonly isFolder: boolean
}

/** A command that has ended in its copy. The real folder does not change until `apply`. Call either `apply` or `drop`, once. */
export interface EndedCopy {
  /**
   * The result, in the same form as for any other command. If a signal ended the command, the exit code is 128 plus the signal's number.
   */
  readonly result: ExecResult
  readonly changeSet: CopyChangeSet
  readonly blocked: readonly BlockedHost[]
  /** Why the command was stopped, as a sentence: it wrote more than allowed, or the disk was full. Null if it was not stopped. */
  readonly stopped: string | null
  /**
   * Why the copy made the command fail, as a sentence. Null if the command did not fail, or if nothing in its output points to the copy.
   */
  readonly unfit: string | null
  /** Whether the changes are only half of what the command was to do, and are worth nothing without the rest. Only if `unfit` is set. */
  readonly isHalf?: boolean
  /** Set if the command failed and may succeed in another copy. Null if nothing suggests that. */
  readonly secondTry: SecondTry | null
  /** Real paths that exist on the machine but were hidden from the command, in addition to `/tmp` and `/run`. */
  readonly hidden: readonly string[]
  /**
   * What the agent and the user must know in addition to the changes, as sentences: hidden places that the command needed, and what ended
   * with the copy.
   */
  readonly notes: readonly string[]
  /** What to pass as `state.before` to the next command. Null if `state` was not requested, or if the command has ended its shell. */
  readonly stateAfter: BashState | null
  /** The new bytes of a created or modified file. */
  bytes(path: string): Promise<Uint8Array>
  /**
   * Makes the folder equal to the copy, completely or not at all. `only`: applies only these paths, with the new folders that they need.
   * Refused if the folder has changed since the copy began. If the process is killed in the middle, the next launch undoes or finishes the
   * work.
   */
  apply(only?: readonly string[]): Promise<ApplyOutcome>
  /**
   * Returns the change set as data, for a wait that may outlast the app: `CommandCopies.apply` applies it later, and this copy can be
   * dropped. Stores the new bytes of each file, and the bytes that it replaces or deletes (for a diff, and for undo). Stores nothing if
   * the change set has obstacles.
   */
  keep(store: StoreBytes): Promise<KeptChangeSet>
  /**
   * Describes what the command did to the repository, in git's terms. Null if it did nothing, or if git's terms cannot describe it. Stores
   * the bytes of the listed files. Call it before the copy is dropped.
   */
  gitChange(store: StoreBytes): Promise<GitChange | null>
  drop(): Promise<void>
}

/**
 * Runs commands in a copy-on-write view of one folder, at its real path. What the commands write there is stored separately until it is
 * applied. Everything else is read-only or hidden. The home folder is writable, but only later commands in copies see its changes, which
 * are removed at `cleanup`. There is no network except the granted hosts, and no process outlives its command.
 */
export interface CommandCopies {
  support(): Promise<CopySupport>
  /**
   * Rejects with a coded failure if the command cannot be started: with `ENOCOPY` if copies are not supported or this folder cannot be
   * copied.
   */
  run(command: string, options?: CopyOptions): Promise<EndedCopy>
  /**
   * Prepares a way to run commands in the real folder, for servers, watchers and persistent terminals. The commands may write only there,
   * see what a copy sees, and reach only the granted hosts. They cannot write existing control files. When a command or the app ends, every
   * process that the command started ends too.
   */
  confine(options?: ConfineOptions): Promise<Confined>
  /** Records the contents of control files that the user has signed. A control file with one of these contents is not moved away. */
  sign(files: readonly SignedFile[]): void
  /**
   * Reads a kept change set from its JSON. Rejects with a coded failure if the text is not a change set, or contains a path outside the
   * folder.
   */
  parseKept(text: string): Promise<KeptChangeSet>
  /**
   * Applies a kept change set as `EndedCopy.apply` does, even after a restart. If `bytesOf` fails, rejects with its error and has changed
   * nothing.
   */
  apply(kept: KeptChangeSet, bytesOf: (hash: BlobHash) => Uint8Array | Promise<Uint8Array>, only?: readonly string[]): Promise<ApplyOutcome>
  /**
   * Returns for each path the outermost part that git ignores, as a line for a `.gitignore` in the folder. Null if the path is not ignored, or
   * belongs to `.git`.
   */
  ignoredParts(paths: readonly PathInside[]): Promise<readonly (string | null)[]>
  /** Whether this path below `/tmp` or home exists for the next command, although it does not exist on the machine. */
  keeps(path: string): Promise<boolean>
  /** Removes the git-ignored trees that were kept for a change set that will not be applied. Does not touch its blobs. */
  release(kept: KeptChangeSet): Promise<void>
  /** Stops what is running and drops every copy that was neither applied nor dropped. */
  cleanup(): Promise<void>
}

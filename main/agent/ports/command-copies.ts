import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { SetAside } from '../../../shared/session/file-change.ts'
import type { Confinement, ExecOptions, ExecResult } from './execution-environment.ts'

/** Whether commands can run in a copy on this machine; found out once. `wayOut`: one line, with the command to type where there is one. */
export type CopySupport = { readonly kind: 'present' } | { readonly kind: 'absent'; readonly reason: string; readonly wayOut: string }

/**
 * `mode`: permission bits. `hash`: SHA-256 of the bytes in hex. Sizes in bytes, times in ms since 1970. `owner`: user and group as
 * `uid:gid`, where this process is root and they are not root's; a file that is replaced keeps its own. Absent: the user's own.
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
 * A whole new folder that git ignores, such as `node_modules`: it is moved to its place as it is, and its files are only counted. `bytes`:
 * of all of them. `hash`: of their paths, sizes, modes and times. `held`: where it waits, below the folder of copies; empty: still in its copy.
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

/** One path, relative to the folder. An entry of another kind in the same place is a deletion followed by a creation. */
export type CopyChange =
  | {
      readonly kind: 'created'
      readonly path: string
      readonly after: CopiedEntry
      /** A deleted file with the same bytes. */ readonly movedFrom?: string
    }
  | { readonly kind: 'modified'; readonly path: string; readonly before: StandingEntry; readonly after: CopiedEntry }
  | { readonly kind: 'deleted'; readonly path: string; readonly before: StandingEntry }

/** Why a change set cannot be applied, as a whole. */
export type CopyObstacle =
  | { readonly kind: 'changed-meanwhile' | 'unreadable-file' | 'unreadable-name' | 'unreadable-link' | 'long-path'; readonly path: string }
  | { readonly kind: 'too-many-files' | 'too-many-bytes'; readonly limit: number }
  /** It would remove what no signature may remove. `what`: in words. */
  | { readonly kind: 'blocked'; readonly what: string }
  /** It was stopped in the middle of its work, so what it left is not what it meant to do. */
  | { readonly kind: 'stopped'; readonly reason: string }

/** `hard-link`: it becomes its own file. `attributes`: the extended ones. */
export type LeftOut = 'socket' | 'fifo' | 'device' | 'set-id-bits' | 'hard-link' | 'attributes' | 'owner'

/** What a command did to the folder: by path, parents before what is in them. */
export interface CopyChangeSet {
  readonly changes: readonly CopyChange[]
  /** Empty: it can be applied. */
  readonly obstacles: readonly CopyObstacle[]
  /** What is never applied, to be named to agent and person. */
  readonly leftOut: readonly { readonly path: string; readonly what: LeftOut }[]
}

/**
 * A change set as plain JSON, for the time in which it waits for an answer; it can be applied after a restart. The bytes of files are in
 * the blob store under their `hash`. A caller may replace an `after` by another one, as when a person corrects the text before signing.
 */
export interface KeptChangeSet extends CopyChangeSet {
  readonly version: 1
  /** Real path of the folder to which it applies. */
  readonly folder: string
  /** Device number of the folder when the command ended. A restart of the machine may give it another one. */
  readonly device: string
}

/** A host that a command asked for through the proxy and was refused. */
export interface BlockedHost {
  readonly host: string
  readonly port: number
}

export interface HostOptions {
  /** Host names (`*.example.org` for all below) that are reached through the proxy. */
  readonly hosts?: readonly string[]
  /** Asked about every other host, once per run, while the connection is held; true lets it pass. Left out: refused at once. */
  readonly onHost?: (asked: BlockedHost) => Promise<boolean>
}

export interface ConfineOptions extends HostOptions {
  /** Files and folders that can be read although they are hidden otherwise, by absolute path. Those that do not exist are left out. */
  readonly visible?: readonly string[]
}

/** What a signed step writes. `path`: absolute. `hash`: SHA-256 of the bytes in hex; of a link: of its target. */
export interface SignedFile {
  readonly path: string
  readonly hash: string
}

/** Passed to the environment as `confinement`; any number of commands may be started with it. */
export interface Confined extends Confinement {
  readonly blocked: readonly BlockedHost[]
  /**
   * Moves control files that are new since the confinement began out of the folder, and returns them. Those with the content of a signed
   * step, or of git's index, stay. `since` (ms since 1970): what changed before it stays too.
   */
  setAside(since?: number): Promise<readonly SetAside[]>
  /** Closes the way to the hosts. To be called when its commands have ended. */
  close(): Promise<void>
}

/** What a bash leaves for the next one: a script that restores it, and its folder (real path). */
export interface BashState {
  readonly script: string
  readonly folder: string
}

/**
 * The bash of a session whose commands run in copies: the folder, variables, functions, options and aliases that one command leaves are
 * there for the next. Kept in memory only, since it may hold secrets.
 */
export interface CopiedBash {
  /** Null: the next command starts a new one. */
  state(): BashState | null
  /** The next command starts with this state. */
  adopt(state: BashState): void
}

/**
 * How the same command could succeed in another copy. `local-port`: reach this port of the machine, on which something listens. `filled`:
 * rename folders of the project.
 */
export type SecondTry = { readonly kind: 'local-port'; readonly port: number } | { readonly kind: 'filled' }

export interface CopyOptions extends Omit<ExecOptions, 'onStart' | 'confinement'>, HostOptions {
  /**
   * For a bash that seems to persist: `before` is the `stateAfter` of the last command (null: a new shell). Variables, functions, options and
   * aliases are carried over; jobs, descriptors and traps are not. A `workingDir` replaces the folder of the state.
   */
  readonly state?: { readonly before: BashState | null }
  /** TCP ports of this machine that the command reaches at `127.0.0.1`. Left out: none. */
  readonly localPorts?: readonly number[]
  /** The folder is copied before the command starts (without `.git` and ignored files), so that folders can be renamed. Takes longer. */
  readonly isFilled?: boolean
  /** Bytes that the command may write into the folder; above them it is stopped. 2 GB when left out. */
  readonly maxBytes?: number
}

export type ApplyOutcome =
  | { readonly kind: 'applied' }
  /**
   * Nothing was applied. `path`: the first path that is not as it was, if there is one. `notUndone`: some steps were taken and could not
   * be undone; the next start tries again.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly path: string | null; readonly notUndone?: Trouble }

/** A command that has ended in its copy. Nothing of it is in the real folder until `apply`. Call `apply` or `drop`, once. */
export interface EndedCopy {
  /** As of any command; a signal that ended the command shows as exit code 128 and its number. */
  readonly result: ExecResult
  readonly changeSet: CopyChangeSet
  readonly blocked: readonly BlockedHost[]
  /** It was stopped because it wrote more than it may, or the disk ran full; a sentence. Null: it was not. */
  readonly stopped: string | null
  /** It failed, and its output shows that the copy was the reason: a sentence. Null: it did not. */
  readonly unfit: string | null
  /** It failed, and may succeed in another copy. Null: nothing suggests it. */
  readonly secondTry: SecondTry | null
  /** Real paths that exist on the machine but were hidden from the command, besides `/tmp` and `/run`. */
  readonly hidden: readonly string[]
  /** What agent and person must know besides the changes, as sentences: hidden places that it missed, what ended with the copy. */
  readonly notes: readonly string[]
  /** The real `.git` folder of the folder, and the folder that holds the command's changes to it until `apply` or `drop`. Either may be missing. */
  readonly git: { readonly before: string; readonly after: string }
  /** What to pass as `state.before` of the next command. Null: `state` was not asked for, or the command has ended its shell. */
  readonly stateAfter: BashState | null
  /** The new bytes of a created or modified file. */
  bytes(path: string): Promise<Uint8Array>
  /**
   * Makes the folder what the copy was, all of it or nothing; `only`: these paths, with the new folders that they need. Refused where the
   * folder has changed since the copy began. A kill in the middle is undone or finished by the next start.
   */
  apply(only?: readonly string[]): Promise<ApplyOutcome>
  /**
   * The change set as data, for a wait that may outlast the app: `CommandCopies.apply` applies it later, and this copy can be dropped.
   * Stores the new bytes of each file, and the bytes that it replaces or deletes (for a diff, and for undo). Stores nothing where the
   * change set has obstacles.
   */
  keep(store: (bytes: Uint8Array) => BlobHash): Promise<KeptChangeSet>
  drop(): Promise<void>
}

/**
 * Runs commands in a copy-on-write view of one folder, at its real path: what they write there is kept apart until it is applied. All else
 * is read-only or hidden, home is writable but forgotten, there is no network but the granted hosts, and no process outlives its command.
 */
export interface CommandCopies {
  support(): Promise<CopySupport>
  /** Rejects with a coded failure where it cannot be started: `ENOCOPY` where there is no support or this folder cannot be copied. */
  run(command: string, options?: CopyOptions): Promise<EndedCopy>
  /**
   * A way to run commands in the real folder, for servers, watchers and lasting terminals: they may write there and nowhere else, see what a
   * copy sees, and reach only the granted hosts. Control files that exist are read-only. All that they started ends with them, and with the app.
   */
  confine(options?: ConfineOptions): Promise<Confined>
  /** The person has signed these contents of control files: a file with one of them is not moved away. */
  sign(files: readonly SignedFile[]): void
  /** A kept change set from its JSON. Rejects with a coded failure if the text is not one, or names a path outside the folder. */
  parseKept(text: string): Promise<KeptChangeSet>
  /** Applies a kept change set as `EndedCopy.apply` does, also after a restart. Rejects with the error of `bytesOf`, having changed nothing. */
  apply(kept: KeptChangeSet, bytesOf: (hash: BlobHash) => Uint8Array | Promise<Uint8Array>, only?: readonly string[]): Promise<ApplyOutcome>
  /** Whether this path below `/tmp` is there for the next command, although it is not on the machine. */
  keeps(path: string): Promise<boolean>
  /** Removes the ignored trees of a stored change set that is not applied. Does not touch its blobs. */
  release(kept: KeptChangeSet): Promise<void>
  /** Ends what runs and drops every copy that was neither applied nor dropped. */
  cleanup(): Promise<void>
}

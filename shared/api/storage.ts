import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import { command, returns } from '../wire/contract.ts'

/** What a deletion frees, in bytes of content: the size of the events and blobs, without the database's own overhead. */
export interface Weight {
  readonly events: number
  readonly blobs: number
  /** Blobs that are kept because other sessions need them. */
  readonly shared: number
}

/** A user's session with its subagents, or all sessions of a project. `freed` is what deleting it would free. */
export interface SessionWeight {
  readonly sessionId: SessionId
  readonly folder: string
  readonly weight: Weight
}
export interface ProjectWeight {
  readonly folder: string
  readonly sessions: number
  readonly weight: Weight
}

/** All sizes are in bytes. */
export interface StorageReport {
  /** Size of the database with its journal. The next fields are the sizes of the larger blobs and of the search index on disk. */
  readonly database: number
  readonly blobFiles: number
  readonly searchIndex: number
  /** Part of `database` that is empty and can be returned to the disk. */
  readonly free: number
  /** Blobs that no session refers to, and that a clean-up removes. */
  readonly unreferenced: number
  /** The largest sessions come first. */
  readonly sessions: readonly SessionWeight[]
  readonly projects: readonly ProjectWeight[]
}

/** The layers of sessions beside their folders and of subagents, and what deleted sessions had changed in theirs. Sizes are in bytes. */
export interface LayersReport {
  readonly layers: readonly { readonly sessionId: SessionId; readonly bytes: number }[]
  /** The newest first. `files`: the folder that contains the changed files. */
  readonly bin: readonly {
    readonly sessionId: SessionId
    readonly title: string
    readonly folder: string
    readonly bytes: number
    readonly files: string
  }[]
}

/** `changed`: the deletion would free different amounts from those that were shown, and nothing was deleted. */
export type DeletionOutcome =
  | { readonly kind: 'deleted'; readonly freed: Weight }
  | { readonly kind: 'changed'; readonly weight: Weight }
  | { readonly kind: 'refused'; readonly trouble: Trouble }

/** `freed` is in bytes of blobs. `shrunk` is the number of bytes by which the files on disk became smaller. */
export type CleanOutcome =
  | { readonly kind: 'cleaned'; readonly freed: number; readonly shrunk: number }
  | { readonly kind: 'refused'; readonly trouble: Trouble }

const some = z.object({ sessionIds: z.array(SessionId).min(1).max(10_000) })
type Or<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly trouble: Trouble }

export const storageApi = {
  /** Bytes of all files on disk, as in `StorageReport`. Fast even for a large history. */
  size: command({ input: z.object({}), output: returns<Or<{ readonly bytes: number }>>() }),
  /**
   * The sizes of everything that is stored. Reads, in its own thread, what has changed since the last measurement, which takes seconds for
   * a large history.
   */
  measure: command({ input: z.object({}), output: returns<Or<{ readonly report: StorageReport }>>() }),
  layers: command({ input: z.object({}), output: returns<LayersReport>() }),
  /** Removes what a deleted session had changed in its layer from the bin. */
  dropBinned: command({ input: z.object({ sessionId: SessionId }), output: returns<LayersReport>() }),
  /** What would be freed by deleting these sessions with their subagents. */
  weigh: command({ input: some, output: returns<Or<{ readonly weight: Weight }>>() }),
  /**
   * Deletes sessions permanently, with their subagents and all blobs that no other session needs. `shown` is the weight that the user
   * agreed to. Refused while one of the sessions is working, is pinned, or runs in another process.
   */
  delete: command({
    input: some.extend({ shown: z.object({ events: z.number(), blobs: z.number(), shared: z.number() }) }),
    output: returns<DeletionOutcome>(),
  }),
  /** Removes blobs that no session refers to and returns empty parts of the database to the disk. Refused while a turn runs. */
  clean: command({ input: z.object({}), output: returns<CleanOutcome>() }),
}

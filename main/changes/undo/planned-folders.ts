import { dirname } from 'node:path'
import type { FolderChange } from '../../../shared/session/file-change.ts'
import type { SkippedUndo, UndoConflict, UndoneFile } from '../../../shared/session/undo-preview.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import type { FolderIntention } from './undo-goals.ts'
import type { Merge } from './merge-step.ts'
import { type DiskEntry, diskEntryAt } from './disk-entry.ts'

/** A merge whose conflicts the user has to decide. `mode`: permission bits of the merged file; null if they do not change. */
export interface OpenMerge {
  readonly merge: Merge
  readonly mode: number | null
}

/** What an undo does to one file. */
export type Planned =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly file: UndoneFile }
  | { readonly kind: 'skipped'; readonly skipped: SkippedUndo }
  | { readonly kind: 'conflict'; readonly conflict: UndoConflict; readonly merge: OpenMerge | null }

/**
 * The folders of an undo. The order of planning matters: deleted files, then deleted folders (the deepest first), then created folders,
 * then written files. A folder is deleted only if nothing remains in it, and what is created or written may take the place of something
 * that was deleted.
 */
export interface PlannedFolders {
  /** Records what an undo does to a file. */
  planned(file: Planned): void
  /**
   * Plans the change to one folder. Returns the folder as skipped if something that the undo does not remove has taken its place. Otherwise
   * returns an empty list.
   */
  plan(intention: FolderIntention): Promise<readonly SkippedUndo[]>
  /** Returns what will be at a path after everything that is planned so far. */
  after(path: string, now: DiskEntry): DiskEntry
  /** Returns deletions first, then creations, in the order in which they must happen. */
  changes(): readonly FolderChange[]
}

/** `restored`: paths of files and folders that the undo restores. The folders above them are not deleted. */
export function createPlannedFolders(env: ExecutionEnvironment, restored: readonly string[]): PlannedFolders {
  const needed = new Set(restored.flatMap(foldersAbove))
  const gone = new Set<string>()
  const removed: FolderChange[] = []
  const made: FolderChange[] = []
  const isAboveGone = (path: string): boolean => {
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) if (gone.has(at)) return true
    return false
  }
  const after = (path: string, now: DiskEntry): DiskEntry =>
    (now.kind !== 'absent' && gone.has(path)) || (now.kind === 'other' && isAboveGone(path)) ? { kind: 'absent' } : now
  return {
    after,
    planned(file) {
      const change = file.kind === 'file' ? file.file.change : file.kind === 'skipped' ? file.skipped.change : null
      const possible = file.kind === 'conflict' ? file.conflict.change : change
      // A deletion that is skipped or in conflict counts too, because the user may still request it.
      if (possible?.after === null) gone.add(possible.path)
    },
    async plan({ path, shown, goal, last }) {
      const now = after(path, await diskEntryAt(env, path))
      if (goal === null) {
        if (now.kind !== 'folder' || last === null || needed.has(path) || !(await isEmptied(env, path, gone))) return []
        gone.add(path)
        removed.push({ path, shown, before: now.mode, after: null })
      } else if (now.kind === 'absent') made.push({ path, shown, before: null, after: goal })
      else if (now.kind !== 'folder') return [{ path, shown, why: 'changed-since', change: null, steps: [] }]
      else if (now.mode === last && now.mode !== goal) made.push({ path, shown, before: now.mode, after: goal })
      return []
    },
    changes: () => [...removed, ...made],
  }
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...foldersAbove(above)]
}

/** Whether the folder is empty after the deletions. */
async function isEmptied(env: ExecutionEnvironment, path: string, gone: ReadonlySet<string>): Promise<boolean> {
  const entries = await env.listDirectory(path).catch(() => null)
  return entries !== null && entries.every(({ name }) => gone.has(`${path}/${name}`))
}

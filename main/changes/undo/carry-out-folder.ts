import { dirname } from 'node:path'
import type { FileChange, FolderChange } from '../../../shared/session/file-change.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { diskEntryAt } from './disk-entry.ts'

/** `stays`: the folder was left alone, because it now contains something else or because something else is in its place. */
type DoneFolder = 'done' | 'stays' | { readonly detail: string }

/** Error codes which mean that somebody has changed the folder in the meantime. */
const STAYS: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT'])

/**
 * Returns the change with a mode that lets the owner write files into the folder. If the mode already allows that, returns the change
 * itself.
 */
export const writable = (folder: FolderChange): FolderChange =>
  folder.after === null || (folder.after & 0o300) === 0o300 ? folder : { ...folder, after: folder.after | 0o700 }

/**
 * The mode that a folder without write permission gets while its files are deleted. Null if the folder is not deleted or needs no other
 * mode.
 */
function modeForDeletion({ before, after }: FolderChange): number | null {
  return after !== null || before === null || (before & 0o300) === 0o300 ? null : before | 0o700
}

/**
 * Lets the owner delete the contents of the folders that are to be deleted, outer folders first. If the system refuses that, the refusal is
 * reported with the files.
 */
export async function openForDeletion(folders: readonly FolderChange[], env: ExecutionEnvironment): Promise<void> {
  for (const folder of folders.toReversed()) await setModeIf(folder.path, folder.before, modeForDeletion(folder), env)
}

/** Restores the modes that `openForDeletion` has changed, for the folders that still exist, even if an earlier process changed them. */
export async function closeAgain(folders: readonly FolderChange[], env: ExecutionEnvironment): Promise<void> {
  for (const folder of folders) await setModeIf(folder.path, modeForDeletion(folder), folder.before, env)
}

async function setModeIf(path: string, from: number | null, to: number | null, env: ExecutionEnvironment): Promise<void> {
  if (from === null || to === null) return
  const now = await diskEntryAt(env, path)
  if (now.kind === 'folder' && now.mode === from) await env.setMode(path, to).catch(() => {})
}

/** Why the system refused to change the entry at this path, if the mode of the folder that contains it is the reason. Otherwise null. */
export async function refusedByFolder(path: string, shown: string, env: ExecutionEnvironment): Promise<string | null> {
  const above = await diskEntryAt(env, dirname(path))
  if (above.kind !== 'folder' || (above.mode & 0o300) === 0o300) return null
  return `the folder ${dirname(shown)} is read-only`
}

/** Never deletes the contents of a folder. A folder that already matches `after` counts as done. */
export async function carryOutFolder({ path, before, after }: FolderChange, env: ExecutionEnvironment): Promise<DoneFolder> {
  const now = await diskEntryAt(env, path)
  // An interrupted undo may already have written the file that replaces the folder.
  if (now.kind === 'file' && after === null) return 'done'
  if (now.kind !== 'folder' && now.kind !== 'absent') return 'stays'
  const mode = now.kind === 'folder' ? now.mode : null
  if (mode === after) return 'done'
  try {
    if (after === null) await env.removeFolder(path)
    else if (mode === null) await env.createFolder(path, after)
    else if (mode === before) await env.setMode(path, after)
    else return 'stays'
    return 'done'
  } catch (error) {
    if (STAYS.has(codeOf(error))) return 'stays'
    return { detail: error instanceof Error ? error.message : String(error) }
  }
}

/** The system's code of an error. Null if the error has none. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

/**
 * The folders that an undo needs: the ones it restores, and missing folders above the files and folders that it restores. A missing folder
 * gets the mode of its parent. Deletions come first, then the other folders, with the outer ones first.
 */
export async function neededFolders(
  files: readonly FileChange[],
  folders: readonly FolderChange[],
  env: ExecutionEnvironment,
): Promise<readonly FolderChange[]> {
  const planned = new Map(folders.map((folder) => [folder.path, folder]))
  // A file that the undo removes can be where a folder is needed.
  const removed = new Set(files.flatMap(({ path, after }) => (after === null ? [path] : [])))
  const needed: FolderChange[] = []
  const restored = [
    ...files.filter(({ after }) => after !== null),
    ...folders.filter(({ before, after }) => before === null && after !== null),
  ]
  for (const { path, shown } of restored) {
    const missing: FolderChange[] = []
    let at = dirname(path)
    let as = dirname(shown)
    while (at !== dirname(at) && !planned.has(at)) {
      const found = removed.has(at) ? null : await env.lstat(at)
      if (found?.kind === 'folder') for (const folder of missing) needed.push({ ...folder, after: found.mode })
      if (found !== null) break
      missing.unshift({ path: at, shown: as, before: null, after: null })
      at = dirname(at)
      as = dirname(as)
    }
    const above = planned.get(at)
    if (above && above.after !== null) for (const folder of missing) needed.push({ ...folder, after: above.after })
    for (const folder of needed) planned.set(folder.path, folder)
  }
  const deleted = folders.filter(({ after }) => after === null)
  const kept = folders.filter(({ after }) => after !== null)
  return [...deleted, ...[...kept, ...needed].toSorted((a, b) => (a.path < b.path ? -1 : 1))]
}

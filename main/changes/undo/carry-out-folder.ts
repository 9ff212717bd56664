import { dirname } from 'node:path'
import type { FileChange, FolderChange } from '../../../shared/session/file-change.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { standingAt } from './standing.ts'

/** `stays`: the folder holds something else by now, or something is in its place. */
type DoneFolder = 'done' | 'stays' | { readonly detail: string }

/** Somebody has changed the folder meanwhile. */
const STAYS: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT'])

/** Never deletes what is in a folder. What is already as `after` says is done. */
export async function carryOutFolder({ path, before, after }: FolderChange, env: ExecutionEnvironment): Promise<DoneFolder> {
  const now = await standingAt(env, path)
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

/** The system's code of an error; null: it has none. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

/** The usual permission bits of a folder. */
const USUAL_MODE = 0o755

/** The folders that writing this file will create, with the usual mode, so that a redo finds them. */
export async function missingAbove({ path, shown }: FileChange, env: ExecutionEnvironment): Promise<readonly FolderChange[]> {
  const missing: FolderChange[] = []
  let [at, as] = [dirname(path), dirname(shown)]
  while (at !== dirname(at) && (await env.lstat(at).catch(() => undefined)) === null) {
    missing.unshift({ path: at, shown: as, before: null, after: USUAL_MODE })
    ;[at, as] = [dirname(at), dirname(as)]
  }
  return missing
}

import { hash } from 'node:crypto'
import { dirname, join, sep } from 'node:path'
import type { FileChange, FolderChange } from '../../../shared/session/file-change.ts'
import type { Rollback, SkippedFile, SkipReason } from '../../../shared/session/rollback.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { carryOutFolder, closeAgain, codeOf, openForDeletion, refusedByFolder, writable } from './carry-out-folder.ts'
import { type FileState, sameState, stateAfter, stateBefore } from './undo-goals.ts'
import { type DiskEntry, diskEntryAt } from './disk-entry.ts'

export interface CarryOutParts {
  readonly env: ExecutionEnvironment
  readonly blobs: Pick<BlobStore, 'getInSlices' | 'putInSlices'>
}

/**
 * Makes the changes of an undo: deletions, then folders, then files, then the modes of read-only folders. A file that does not match
 * `before` is left unchanged. Also finishes an interrupted undo: a file that already matches `after` counts as done. Returns what was
 * done and what was not.
 */
export async function carryOut(rollback: Rollback, parts: CarryOutParts): Promise<Rollback> {
  const files: FileChange[] = []
  const skipped: SkippedFile[] = [...rollback.skipped]
  const done = new Set<FolderChange>()
  const slice = createSlices()
  const links = await linksThatExist(rollback.files, parts.env)
  const isRemoved = ({ path, after }: FileChange | FolderChange): boolean =>
    after === null && links.some((link) => path.startsWith(`${link}${sep}`))
  const carryOutFile = async (change: FileChange): Promise<void> => {
    await slice()
    const failure = isRemoved(change) ? null : await carriedOut(change, rollback.rollbackId, parts)
    if (failure === null) files.push(change)
    else skipped.push({ path: change.path, shown: change.shown, ...failure })
  }
  const planned = rollback.folders ?? []
  await openForDeletion(planned, parts.env)
  for (const change of rollback.files) if (change.after === null) await carryOutFile(change)
  const setFolder = async (folder: FolderChange, change: FolderChange): Promise<void> => {
    await slice()
    const outcome = isRemoved(change) ? 'done' : await carryOutFolder(change, parts.env)
    if (outcome === 'done') done.add(folder)
    else done.delete(folder)
    if (typeof outcome !== 'string') skipped.push({ path: folder.path, shown: folder.shown, why: 'not-written', detail: outcome.detail })
  }
  for (const folder of planned) await setFolder(folder, writable(folder))
  for (const change of rollback.files) if (change.after !== null) await carryOutFile(change)
  for (const folder of planned.toReversed())
    if (done.has(folder) && writable(folder) !== folder) await setFolder(folder, { ...folder, before: writable(folder).after })
  await closeAgain(planned, parts.env)
  const folders = planned.filter((folder) => done.has(folder))
  const { folders: _, ...rest } = rollback
  return { ...rest, files, ...(folders.length > 0 && { folders }), skipped }
}

/**
 * The planned links that already exist. Each of them means that the interrupted undo has already removed the folder that was at its path,
 * with everything in it.
 */
async function linksThatExist(files: readonly FileChange[], env: ExecutionEnvironment): Promise<readonly string[]> {
  const links: string[] = []
  for (const change of files) {
    if (change.afterKind !== 'link') continue
    const now = await diskEntryAt(env, change.path)
    if (now.kind === 'file' && sameState(now.state, stateAfter(change))) links.push(change.path)
  }
  return links
}

type Failure = Pick<SkippedFile, 'why' | 'detail'>

async function carriedOut(change: FileChange, rollbackId: string, parts: CarryOutParts): Promise<Failure | null> {
  const before = stateBefore(change)
  const after = stateAfter(change)
  // A link is not replaced in one step: what was there is moved aside first.
  const inSteps = before !== null && after !== null && (before.kind === 'link' || after.kind === 'link')
  try {
    const aside = asideOf(change.path, rollbackId)
    if (after === null || inSteps) await settleAside(change, aside, parts)
    const now = await diskEntryAt(parts.env, change.path)
    // An interrupted undo may have created the folder already.
    if (now.kind === 'folder' && after === null) return null
    if (now.kind === 'other' || now.kind === 'folder') return { why: 'not-a-file' }
    if (now.kind === 'unreadable') return { why: 'unreadable', detail: now.detail }
    const state = now.kind === 'file' ? now.state : null
    if (sameState(state, after)) return null
    if (!sameState(state, before) && !(inSteps && state === null)) return { why: 'changed-since' }
    const put = async (): Promise<void> => {
      if (after !== null) await write(change.path, inSteps ? null : before, after, parts)
    }
    if (after === null || (inSteps && state !== null)) return await replace(change.path, before, { aside, put }, parts)
    await put()
    return null
  } catch (error) {
    const code = codeOf(error)
    const why: SkipReason = code === 'ECHANGED' || code === 'EEXIST' ? 'changed-since' : code === 'EISDIR' ? 'not-a-file' : 'not-written'
    if (why !== 'not-written') return { why }
    const byFolder = code === 'EACCES' || code === 'EPERM' ? await refusedByFolder(change.path, change.shown, parts.env) : null
    return { why, detail: byFolder ?? (error instanceof Error ? error.message : String(error)) }
  }
}

type Present = NonNullable<FileState>

async function write(path: string, before: FileState, after: Present, { env, blobs }: CarryOutParts): Promise<void> {
  const bytes = await blobs.getInSlices(after.hash)
  if (after.kind === 'link') return env.symlink(Buffer.from(bytes).toString(), path)
  // A change of permissions alone needs no room on the disk.
  if (after.mode !== null && before?.hash === after.hash && before.kind === undefined) return env.setMode(path, after.mode)
  const mode = after.mode === null ? {} : { mode: after.mode }
  await env.writeBytes(path, bytes, { expected: before && (await blobs.getInSlices(before.hash)), real: true, ...mode })
}

/**
 * Moves the file aside before the last comparison, so that nobody can write to the file after it is compared and before it is removed.
 * Moves it back if nothing can be put in its place, for example because the disk is full.
 */
async function replace(
  path: string,
  before: FileState,
  { aside, put }: { readonly aside: string; readonly put: () => Promise<void> },
  { env, blobs }: CarryOutParts,
): Promise<Failure | null> {
  await env.rename(path, aside)
  if (!isSameFile(await diskEntryAt(env, aside), before)) {
    await putBack(path, aside, { env, blobs })
    return { why: 'changed-since' }
  }
  try {
    await put()
  } catch (error) {
    const { kind } = await diskEntryAt(env, path)
    if (kind === 'absent') await env.rename(aside, path)
    // If the entry at the path cannot be read, the file that was moved aside is kept.
    else if (kind !== 'unreadable') await env.deleteFile(aside)
    throw error
  }
  await env.deleteFile(aside)
  return null
}

/** Permissions are not compared, because a change of permissions alone loses nothing. */
const isSameFile = (found: DiskEntry, before: FileState): boolean =>
  found.kind === 'file' && before !== null && found.state.hash === before.hash && found.state.kind === before.kind

/**
 * Handles the file that an interrupted undo moved aside. If its content is what the undo expected there, the file is deleted, or moved back
 * if the undo has not put its replacement in place. If its content is different, the file is moved back.
 */
async function settleAside(change: FileChange, aside: string, parts: CarryOutParts): Promise<void> {
  const left = await diskEntryAt(parts.env, aside)
  if (left.kind === 'absent') return
  if (left.kind === 'unreadable') throw new Error(left.detail)
  if (!isSameFile(left, stateBefore(change))) return putBack(change.path, aside, parts)
  const { kind } = change.after === null ? ({ kind: 'other' } as const) : await diskEntryAt(parts.env, change.path)
  if (kind === 'absent') await parts.env.rename(aside, change.path)
  else if (kind !== 'unreadable') await parts.env.deleteFile(aside)
}

/**
 * Puts a file that was moved aside back to its path, but never over anything that has taken its place. In that case the file remains aside.
 */
async function putBack(path: string, aside: string, { env, blobs }: CarryOutParts): Promise<void> {
  const moved = await diskEntryAt(env, aside)
  // Someone replaced the file with a folder at the last moment, so a folder was moved aside. A rename of a folder can replace only an empty
  // folder.
  if (moved.kind === 'folder') return env.rename(aside, path)
  if (moved.kind !== 'file') throw new Error(`${aside} could not be put back.`)
  await blobs.putInSlices(moved.bytes)
  try {
    await write(path, null, moved.state, { env, blobs })
  } catch (error) {
    // The write may fail, for example because the disk is too full for a second copy. A rename needs no room, but would replace what is
    // there.
    if ((await diskEntryAt(env, path)).kind !== 'absent') throw error
    return env.rename(aside, path)
  }
  await env.deleteFile(aside)
}

/** The name depends only on the path and the undo, so that a later launch finds the file. */
function asideOf(path: string, rollbackId: string): string {
  const name = hash('sha256', `${rollbackId} ${path}`).slice(0, 16)
  return join(dirname(path), `.countersign-${name}.tmp`)
}

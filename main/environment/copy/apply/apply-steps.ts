import { closeSync, constants, linkSync, openSync, renameSync } from 'node:fs'
import { chmod, lchown, link, lstat, mkdir, open, readFile, rename, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { assertNever } from '../../../../shared/lib/assert-never.ts'
import { codeOf } from '../../environment-failure.ts'
import type { IgnoredTree } from '../../../agent/ports/command-copies.ts'
import type { Step } from './apply-order.ts'
import { isSameEntry, isUntouched, entryAt, statsAt } from '../changes/folder-entries.ts'
import { treeAt } from '../changes/ignored-tree.ts'

/** The folders in which steps are taken. */
export interface Ground {
  readonly folder: string
  /** A folder of Countersign on the same file system. */
  readonly staging: string
}

/** The folder is no longer in the state that the change set expects. */
export class ChangedMeanwhile extends Error {
  readonly path: string
  readonly reason: string

  constructor(path: string, reason = 'the file has changed since') {
    super(`${path}: ${reason}`)
    this.path = path
    this.reason = reason
  }
}

/** A file that was set aside cannot be put back: something else is in its place, or its folder is gone. */
export class PlaceTaken extends Error {
  constructor(path: string) {
    super(`something else now exists at ${path}, or its folder is gone`)
  }
}

export function takeStep(ground: Ground, step: Step): Promise<void> {
  return inParentOf(ground.folder, step.path, (at) => takeAt(ground, step, at)).catch((error: unknown) => {
    if (['EEXIST', 'ENOTEMPTY', 'ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) throw new ChangedMeanwhile(step.path)
    throw error
  })
}

/** Entries are moved synchronously, because change sets have thousands of them, and a request to a thread takes longer. */
async function takeAt({ staging }: Ground, step: Step, at: string): Promise<void> {
  switch (step.kind) {
    case 'lock':
      return lock(at, staging, step)
    case 'remove':
      // The entry is checked after the move, when nobody else can reach it by its name. A check before the move would leave a moment in
      // which it could change.
      renameSync(at, join(staging, step.aside))
      if (!isUntouched(await entryAt(join(staging, step.aside)), step.before)) throw new ChangedMeanwhile(step.path)
      return
    case 'put':
      // `link` fails if the path exists. A rename would replace it.
      return linkSync(join(staging, step.staged), at)
    case 'put-tree':
      // A rename can only replace an empty folder.
      return rename(join(staging, step.staged), at)
    case 'make-folder':
      return makeFolder(at, step)
    case 'remove-folder':
      return rmdir(at)
    case 'set-mode':
      return setMode(at, step.before, step.after, step.path)
    default:
      return assertNever(step)
  }
}

async function makeFolder(at: string, { mode, owner }: Extract<Step, { kind: 'make-folder' }>): Promise<void> {
  await mkdir(at, { mode: 0o700 })
  try {
    if (owner !== undefined) await lchown(at, ...idsOf(owner))
    await chmod(at, mode | 0o700)
  } catch (error) {
    await rmdir(at)
    throw error
  }
}

/**
 * Undoes a step that was taken, or that may have been taken. Whatever a user has put at the path in the meantime is kept. If this prevents
 * the earlier bytes from being restored, rejects with `PlaceTaken` and keeps those bytes in the staging folder.
 */
export function undoStep(ground: Ground, step: Step): Promise<void> {
  return inParentOf(ground.folder, step.path, (at) => undoAt(ground, step, at)).catch(async (error: unknown) => {
    if (error instanceof ChangedMeanwhile) return
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EEXIST', 'ENOTEMPTY'].includes(codeOf(error) ?? '')) throw error
    if (step.kind === 'remove' && (await statsAt(join(ground.staging, step.aside))) !== null) throw new PlaceTaken(step.path)
  })
}

async function undoAt({ staging }: Ground, step: Step, at: string): Promise<void> {
  switch (step.kind) {
    case 'lock':
      return unlock(at, step.token)
    case 'remove':
      return putBack(join(staging, step.aside), at, step.path)
    case 'put':
      if (await isOurs(join(staging, step.staged), at, step)) await unlink(at)
      return
    case 'put-tree':
      if (await isAsStaged(at, step.tree)) await rename(at, join(staging, step.staged))
      return
    case 'make-folder':
      return rmdir(at)
    case 'remove-folder':
      await mkdir(at, { mode: 0o700 })
      return chmod(at, step.mode)
    case 'set-mode':
      return setMode(at, step.after, step.before, step.path)
    default:
      return assertNever(step)
  }
}

/**
 * Error codes if a hard link cannot be created, for example because it is to a folder or to another user's file, or because the file system
 * has no hard links.
 */
const NO_HARD_LINK: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'])

async function putBack(aside: string, at: string, path: string): Promise<void> {
  const kept = await lstat(aside, { bigint: true })
  const there = await statsAt(at)
  if (there !== null) {
    const isBack = there.ino === kept.ino && there.dev === kept.dev
    if (!isBack && !(await holdTheSame(aside, at))) throw new PlaceTaken(path)
    return unlink(aside)
  }
  try {
    await link(aside, at)
  } catch (error) {
    if (!NO_HARD_LINK.has(codeOf(error) ?? '')) throw error
    return rename(aside, at)
  }
  return unlink(aside)
}

async function holdTheSame(aside: string, at: string): Promise<boolean> {
  const [kept, there] = await Promise.all([entryAt(aside), entryAt(at)]).catch(() => [null, null])
  return kept !== null && there !== null && kept.kind !== 'folder' && isSameEntry(kept, there)
}

/** Whether the file at `at` is exactly the staged file, and nobody has written to it since. */
async function isOurs(staged: string, at: string, step: Extract<Step, { kind: 'put' }>): Promise<boolean> {
  const ours = await lstat(staged)
  const there = await lstat(at)
  if (ours.ino !== there.ino || ours.dev !== there.dev) return false
  // If the file cannot be read, the command removed read access, so most likely nobody has written to it either.
  const now = await entryAt(at).catch(() => step.after)
  return now !== null && isSameEntry(now, step.after)
}

/** Whether nobody has changed the tree since it was staged. */
async function isAsStaged(at: string, { hash }: IgnoredTree): Promise<boolean> {
  return (await treeAt(at))?.hash === hash
}

/** `uid:gid` as numbers. */
export function idsOf(owner: string): readonly [number, number] {
  const [uid = 0, gid = 0] = owner.split(':').map(Number)
  return [uid, gid]
}

async function setMode(at: string, from: number, to: number, path: string): Promise<void> {
  const handle = await open(at, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if ((Number((await handle.stat()).mode) & 0o1777) !== from) throw new ChangedMeanwhile(path)
    await handle.chmod(to)
  } finally {
    await handle.close()
  }
}

/** The lock is created with its token in it: after a crash, an empty lock would look like one of git's. */
async function lock(at: string, staging: string, { token, path }: Extract<Step, { kind: 'lock' }>): Promise<void> {
  const handle = await open(join(staging, 'lock'), 'wx', 0o644)
  try {
    await handle.writeFile(token)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(join(staging, 'lock'), at)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new ChangedMeanwhile(path, 'git is at work in this folder')
    throw error
  }
}

/** Removes the lock only if it is the one with this token. */
export async function unlock(at: string, token: string): Promise<void> {
  if ((await readFile(at, 'utf8')) === token) await unlink(at)
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Opens the parent folder of `path` without following links, and calls `work` with a path to the entry in this open folder. Nobody can
 * redirect that path with a link.
 */
export async function inParentOf<T>(folder: string, path: string, work: (at: string) => Promise<T>): Promise<T> {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  const above = openStepwise(folder, parts)
  try {
    return await work(`/proc/self/fd/${above}/${name}`)
  } finally {
    closeSync(above)
  }
}

/** Opens folders synchronously, because a request to a thread takes longer. */
function openStepwise(folder: string, parts: readonly string[]): number {
  let opened = openSync(folder, FLAGS)
  for (const part of parts) {
    const above = opened
    try {
      opened = openSync(`/proc/self/fd/${above}/${part}`, FLAGS)
    } finally {
      closeSync(above)
    }
  }
  return opened
}

import { opendir, rm } from 'node:fs/promises'
import { codeOf, EnvironmentFailure, whyNot } from '../../environment-failure.ts'
import { runOwnProgram } from '../../own-programs/run-own-program.ts'
import { workerFile } from '../../worker-file.ts'
import { createWorkerThread } from '../../worker-thread.ts'
import type { TreeToWalk, WalkedTree } from './walk-tree.ts'

export type TreeRequest = ({ readonly kind: 'walk' } & TreeToWalk) | { readonly kind: 'remove'; readonly path: string }

/** `found` is null if the folder contains something that must be shown to the user before it is moved. */
export type TreeReply =
  | { readonly kind: 'walked'; readonly found: WalkedTree | null }
  | { readonly kind: 'removed' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** The time without work after which the thread ends, in ms. */
const IDLE_MS = 10_000

const thread = createWorkerThread<TreeRequest, TreeReply>(() => workerFile('tree-worker', import.meta.url), {})
let idle: NodeJS.Timeout | undefined
let open = 0

async function ask(request: TreeRequest): ReturnType<typeof thread.ask> {
  clearTimeout(idle)
  open += 1
  const reply = await thread.ask(request)
  open -= 1
  if (open === 0) idle = setTimeout(() => void thread.close(), IDLE_MS).unref()
  return reply
}

/** Walks a folder in the thread. Rejects with a coded failure if the folder cannot be read. */
export async function walkInThread(tree: TreeToWalk): Promise<WalkedTree | null> {
  const reply = await ask({ kind: 'walk', ...tree })
  if (reply.kind === 'walked') return reply.found
  throw reply.kind === 'refused'
    ? new EnvironmentFailure(reply.code, reply.message)
    : new Error(`The files in the folder could not be listed: ${reply.kind}`)
}

/** A folder with at least this many files and folders is removed in the thread. */
const MANY = 200

/**
 * Removes a folder and everything in it, including paths that are too long for the system. Does nothing if it does not exist. A large
 * folder is removed in the thread, because Node would start a request for each file at once, whose replies block the main process:
 * 400 ms for 40,000 files.
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    await removeByPaths(path)
  } catch (error) {
    if (codeOf(error) !== 'ENAMETOOLONG') throw error
    await removeFromInside(path)
  }
}

/** `rm` enters one folder at a time, so it never needs a complete path. */
async function removeFromInside(path: string): Promise<void> {
  const script = 'chmod -R u+rwX "$0"; exec rm -rf "$0"'
  const { failure } = await runOwnProgram('/bin/sh', ['-c', script, path], { cwd: '/', timeoutMs: 60_000 })
  if (failure) throw new EnvironmentFailure('ENAMETOOLONG', `${path} could not be removed: ${whyNot(failure)}.`)
}

async function removeByPaths(path: string): Promise<void> {
  if (!(await hasEntries(path, MANY))) return rm(path, { recursive: true, force: true, maxRetries: 3 })
  const reply = await ask({ kind: 'remove', path })
  if (reply.kind === 'removed') return
  if (reply.kind === 'refused') throw new EnvironmentFailure(reply.code, reply.message)
  // If the thread cannot run, the folder is removed here instead.
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
}

/** Whether a folder contains at least `count` files and folders, at any depth. Folders that cannot be read count as empty. */
export async function hasEntries(at: string, count: number): Promise<boolean> {
  let found = 0
  const waiting = [at]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = await opendir(folder).catch(() => null)
    if (entries === null) continue
    for await (const entry of entries) {
      if (entry.isDirectory()) waiting.push(`${folder}/${entry.name}`)
      if (++found >= count) return true
    }
  }
  return false
}

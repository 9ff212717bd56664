import { hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { FileChange } from '../../../shared/session/file-change.ts'
import type { Rollback, SkippedFile, SkipReason } from '../../../shared/session/rollback.ts'
import type { BlobStore } from '../../agent/ports/event-log.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { createSlices } from '../../agent/slices.ts'
import { sameState } from './intentions.ts'
import { standingAt } from './standing.ts'

export interface CarryOutParts {
  readonly env: ExecutionEnvironment
  readonly blobs: Pick<BlobStore, 'get' | 'put'>
}

/**
 * Makes the changes of an undo, deletions first. A file that is not as `before` says is left alone. Also finishes an undo that was
 * interrupted: what is already as `after` says counts as done. Returns what was done and what was not.
 */
export async function carryOut(rollback: Rollback, parts: CarryOutParts): Promise<Rollback> {
  const files: FileChange[] = []
  const skipped: SkippedFile[] = [...rollback.skipped]
  const slice = createSlices()
  const inOrder = rollback.files.toSorted((a, b) => Number(b.after === null) - Number(a.after === null))
  for (const change of inOrder) {
    await slice()
    const failure = await carriedOut(change, rollback.rollbackId, parts)
    if (failure === null) files.push(change)
    else skipped.push({ path: change.path, shown: change.shown, ...failure })
  }
  return { ...rollback, files, skipped }
}

type Failure = Pick<SkippedFile, 'why' | 'detail'>

async function carriedOut(change: FileChange, rollbackId: string, parts: CarryOutParts): Promise<Failure | null> {
  try {
    const aside = asideOf(change.path, rollbackId)
    await settleAside(change, aside, parts)
    const now = await standingAt(parts.env, change.path)
    if (now.kind === 'other') return { why: 'not-a-file' }
    if (now.kind === 'unreadable') return { why: 'unreadable', detail: now.detail }
    const state = now.kind === 'file' ? now.state : null
    if (sameState(state, stateOf(change.after, change.afterMode))) return null
    if (!sameState(state, stateOf(change.before, change.beforeMode))) return { why: 'changed-since' }
    return change.after === null ? await removeFile(change, aside, parts) : await writeFile(change, change.after, parts)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const why: SkipReason = code === 'ECHANGED' ? 'changed-since' : code === 'EISDIR' ? 'not-a-file' : 'not-written'
    return { why, ...(why === 'not-written' && { detail: error instanceof Error ? error.message : String(error) }) }
  }
}

const stateOf = (hashOfBytes: FileChange['before'], mode: number | null) => hashOfBytes && { hash: hashOfBytes, bytes: 0, mode }

async function writeFile(change: FileChange, after: NonNullable<FileChange['after']>, { env, blobs }: CarryOutParts): Promise<null> {
  const expected = change.before && blobs.get(change.before)
  const mode = change.afterMode === null ? {} : { mode: change.afterMode }
  await env.writeBytes(change.path, blobs.get(after), { expected, real: true, ...mode })
  return null
}

/** Moves the file aside before the last comparison, so that nobody can write into it between that and its removal. */
async function removeFile(change: FileChange, aside: string, { env, blobs }: CarryOutParts): Promise<Failure | null> {
  await env.rename(change.path, aside)
  const moved = await standingAt(env, aside)
  if (moved.kind === 'file' && moved.state.hash === change.before) {
    await env.deleteFile(aside)
    return null
  }
  await putBack(change.path, aside, { env, blobs })
  return { why: 'changed-since' }
}

/** What an interrupted removal left: the file itself, which goes if it is the one that was to be removed, and otherwise comes back. */
async function settleAside(change: FileChange, aside: string, parts: CarryOutParts): Promise<void> {
  if (change.after !== null) return
  const left = await standingAt(parts.env, aside)
  if (left.kind === 'absent') return
  if (left.kind === 'file' && left.state.hash === change.before) await parts.env.deleteFile(aside)
  else await putBack(change.path, aside, parts)
}

/** Never over a file that has taken its place meanwhile: then it stays where it is. */
async function putBack(path: string, aside: string, { env, blobs }: CarryOutParts): Promise<void> {
  const moved = await standingAt(env, aside)
  if (moved.kind !== 'file') throw new Error(`${aside} could not be put back.`)
  blobs.put(moved.bytes)
  await env.writeBytes(path, moved.bytes, { expected: null, real: true, ...(moved.state.mode !== null && { mode: moved.state.mode }) })
  await env.deleteFile(aside)
}

/** The same for the same undo, so that a later start finds it. */
function asideOf(path: string, rollbackId: string): string {
  const name = hash('sha256', `${rollbackId} ${path}`).slice(0, 16)
  return join(dirname(path), `.countersign-${name}.tmp`)
}

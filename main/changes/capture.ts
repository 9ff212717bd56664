import type { Effect } from '../../shared/session/effects.ts'
import type { FileChange, UnreadFile } from '../../shared/session/events.ts'
import type { BlobStore } from '../agent/ports/event-log.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { countChangedLines } from './line-counts.ts'

export interface CaptureParts {
  readonly env: ExecutionEnvironment
  readonly blobs: BlobStore
}

/** Bytes of a file that are captured; the editing tools take no larger ones. */
const MAX_BYTES = 100 * 1024 * 1024
/** Permission bits; the type of the file is left out. */
const MODE_BITS = 0o7777

/** A file as it stands: null where there is none. */
type Captured = { readonly bytes: Uint8Array; readonly mode: number } | null

/**
 * Takes the bytes of the files that a step names before it is carried out (DESIGN §3, §7). Rejects with the environment's coded failure,
 * or the store's, when they cannot be taken: a step without them could not be undone and must not be carried out. `changes` takes them
 * again, whether the step went well or broke off half way, and names the files that differ in bytes or mode; it never rejects: a file that
 * cannot be read or kept any more is named apart, with the reason.
 */
export async function captureFiles(
  { env, blobs }: CaptureParts,
  effects: readonly Effect[],
): Promise<{ changes(): Promise<{ readonly files: readonly FileChange[]; readonly unread: readonly UnreadFile[] }> }> {
  const named = new Map(
    effects.flatMap((effect) => (effect.kind === 'write' || effect.kind === 'delete' ? [[effect.path, effect.shown]] : [])),
  )
  const before = new Map<string, Captured>()
  for (const path of named.keys()) {
    const captured = await capture(env, path)
    if (captured) blobs.put(captured.bytes)
    before.set(path, captured)
  }
  return {
    async changes() {
      const files: FileChange[] = []
      const unread: UnreadFile[] = []
      for (const [path, shown] of named) {
        try {
          const change = await changeOf(env, blobs, { path, shown }, before.get(path) ?? null)
          if (change) files.push(change)
        } catch (error) {
          unread.push({ path, shown, why: error instanceof Error ? error.message : String(error) })
        }
      }
      return { files, unread }
    },
  }
}

async function capture(env: ExecutionEnvironment, path: string): Promise<Captured> {
  const stat = await env.stat(path)
  if (stat === null) return null
  return { bytes: await env.readBytes(path, { maxBytes: MAX_BYTES }), mode: stat.mode & MODE_BITS }
}

async function changeOf(
  env: ExecutionEnvironment,
  blobs: BlobStore,
  file: Pick<FileChange, 'path' | 'shown'>,
  before: Captured,
): Promise<FileChange | null> {
  const after = await capture(env, file.path)
  const sameBytes = before && after ? Buffer.compare(before.bytes, after.bytes) === 0 : before === after
  if (sameBytes && before?.mode === after?.mode) return null
  return {
    ...file,
    before: before && blobs.put(before.bytes),
    after: after && blobs.put(after.bytes),
    beforeBytes: before?.bytes.length ?? 0,
    afterBytes: after?.bytes.length ?? 0,
    beforeMode: before?.mode ?? null,
    afterMode: after?.mode ?? null,
    lines: sameBytes ? { added: 0, removed: 0 } : countChangedLines(before?.bytes ?? null, after?.bytes ?? null),
  }
}

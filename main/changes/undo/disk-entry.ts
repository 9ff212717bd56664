import { dirname } from 'node:path'
import type { FileState } from './undo-goals.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { hashInSlices, hashOf } from '../../agent/blob-hash.ts'

/** Maximum size of a file that is compared, in bytes. Checkpoints contain no larger files. */
const MAX_BYTES = 100 * 1024 * 1024
const MODE_BITS = 0o7777

/** The entry at a path. A link's bytes are its target. `other`: a device, or a path that leads through a link. */
export type DiskEntry =
  | { readonly kind: 'file'; readonly state: NonNullable<FileState>; readonly bytes: Uint8Array }
  | { readonly kind: 'folder'; readonly mode: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable'; readonly detail: string }

export async function diskEntryAt(env: ExecutionEnvironment, path: string): Promise<DiskEntry> {
  try {
    const found = await env.lstat(path)
    // A link at the path itself may lead anywhere. But if a folder above is a link, the path leads to a file that does not belong to the
    // undo.
    const isHere = found?.kind === 'symlink' ? await leadsThroughNoLink(env, path) : (await env.realpath(path)) === path
    if (!isHere) return { kind: 'other' }
    if (found === null) return { kind: 'absent' }
    if (found.kind === 'symlink') {
      const bytes = Buffer.from(await env.readlink(path))
      return { kind: 'file', state: { hash: hashOf(bytes), bytes: bytes.length, mode: null, kind: 'link' }, bytes }
    }
    if (found.kind === 'folder') return { kind: 'folder', mode: found.mode & MODE_BITS }
    if (found.kind !== 'file') return { kind: 'other' }
    const bytes = await env.readBytes(path, { maxBytes: MAX_BYTES, real: true })
    return { kind: 'file', state: { hash: await hashInSlices(bytes), bytes: bytes.length, mode: found.mode & MODE_BITS }, bytes }
  } catch (error) {
    return { kind: 'unreadable', detail: error instanceof Error ? error.message : String(error) }
  }
}

async function leadsThroughNoLink(env: ExecutionEnvironment, path: string): Promise<boolean> {
  const above = dirname(path)
  return (await env.realpath(above)) === above
}

/** The bytes of a file in this state. Null if the state is that there is no file. Rejects if the store does not contain the bytes. */
export const bytesOf = async (blobs: Pick<BlobStore, 'getInSlices'>, state: FileState): Promise<Uint8Array | null> =>
  state && blobs.getInSlices(state.hash)

import type { FileState } from './intentions.ts'
import type { BlobStore } from '../../agent/ports/event-log.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { hashOf } from '../../agent/blob-hash.ts'

/** Maximum size of a file that is compared; checkpoints hold no larger ones. */
const MAX_BYTES = 100 * 1024 * 1024
const MODE_BITS = 0o7777

/** What is at a path. `other`: a folder, a link, a device, or a path that leads through a link. */
export type Standing =
  | { readonly kind: 'file'; readonly state: NonNullable<FileState>; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable'; readonly detail: string }

export async function standingAt(env: ExecutionEnvironment, path: string): Promise<Standing> {
  try {
    if ((await env.realpath(path)) !== path) return { kind: 'other' }
    const found = await env.lstat(path)
    if (found === null) return { kind: 'absent' }
    if (found.kind !== 'file') return { kind: 'other' }
    const bytes = await env.readBytes(path, { maxBytes: MAX_BYTES })
    return { kind: 'file', state: { hash: hashOf(bytes), bytes: bytes.length, mode: found.mode & MODE_BITS }, bytes }
  } catch (error) {
    return { kind: 'unreadable', detail: error instanceof Error ? error.message : String(error) }
  }
}

/** The bytes of a state; null for no file. Throws if the store does not have them. */
export const bytesOf = (blobs: Pick<BlobStore, 'get'>, state: FileState): Uint8Array | null => state && blobs.get(state.hash)

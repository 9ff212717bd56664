import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import type { BlobStore } from '../ports/event-log.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { FileView } from '../ports/tool.ts'

/** Files as they will stand when the steps that were laid over the disk have been carried out. */
export interface Overlay extends FileView {
  /** What the agent will have seen of a file by then. */
  seen(path: string): BlobHash | null
  /** Of which lines, where it will not be all of it. */
  seenLines(path: string): SeenLines | null
  add(effects: readonly Effect[]): void
}

export interface OverlayParts {
  readonly env: Pick<ExecutionEnvironment, 'readBytes'>
  readonly blobs: Pick<BlobStore, 'get'>
  seen(path: string): BlobHash | null
  seenLines(path: string): SeenLines | null
}

export function createOverlay({ env, blobs, seen, seenLines }: OverlayParts): Overlay {
  const laid = new Map<string, BlobHash | null>()
  return {
    async read(path, options = {}) {
      const hash = laid.get(path)
      if (hash === undefined) return onDisk(env, path, options)
      const bytes = hash === null ? null : blobs.get(hash)
      if (bytes && options.maxBytes !== undefined && bytes.length > options.maxBytes) throw tooLarge(path, bytes.length)
      return bytes
    },
    seen(path) {
      const hash = laid.get(path)
      return hash === undefined ? seen(path) : hash
    },
    seenLines: (path) => (laid.has(path) ? null : seenLines(path)),
    add(effects) {
      for (const effect of effects) {
        if (effect.kind === 'write') laid.set(effect.path, effect.after)
        else if (effect.kind === 'delete') laid.set(effect.path, null)
      }
    },
  }
}

async function onDisk(env: OverlayParts['env'], path: string, options: { readonly maxBytes?: number }): Promise<Uint8Array | null> {
  try {
    return await env.readBytes(path, options)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** As the environment says it of a file on disk. */
function tooLarge(path: string, bytes: number): Error {
  return Object.assign(new Error(`${path} is too large (${bytes} bytes).`), { code: 'EFBIG' })
}

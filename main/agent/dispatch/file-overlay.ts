import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Effect, WriteEffect } from '../../../shared/session/effects.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { FileView } from '../ports/tool.ts'

/** Files as they will be once the added steps have run. */
export interface FileOverlay extends FileView {
  /** The hash of the file content that the agent will have seen once the added steps have run. */
  seen(path: string): BlobHash | null
  /** Which lines of the file the agent will have seen. Null if it will have seen all of them. */
  seenLines(path: string): SeenLines | null
  add(effects: readonly Effect[]): void
}

export interface FileOverlayParts {
  readonly env: Pick<ExecutionEnvironment, 'readBytes'>
  readonly blobs: Pick<BlobStore, 'getInSlices'>
  seen(path: string): BlobHash | null
  seenLines(path: string): SeenLines | null
}

/** `hash` is null if the file will not exist. `lines`: the lines that were seen, if not all. */
interface PlannedFile {
  readonly hash: BlobHash | null
  readonly lines: SeenLines | null
}

export function createFileOverlay({ env, blobs, seen, seenLines }: FileOverlayParts): FileOverlay {
  const planned = new Map<string, PlannedFile>()
  const linesOf = (path: string): SeenLines | null => {
    const known = planned.get(path)
    return known === undefined ? seenLines(path) : known.lines
  }
  // A file that was only partly seen cannot be replaced as a whole, so this write changed only a part of it.
  const linesAfter = ({ path, before, beforeBytes }: WriteEffect): SeenLines | null => {
    if (before === null || beforeBytes === 0) return null
    const lines = linesOf(path)
    const isUnseen = lines === null && (planned.get(path)?.hash ?? seen(path)) === null
    return isUnseen || lines ? { ranges: [], total: lines?.total ?? 0 } : null
  }
  return {
    async read(path, options = {}) {
      const known = planned.get(path)
      if (known === undefined) return onDisk(env, path, options)
      const { hash } = known
      const bytes = hash === null ? null : await blobs.getInSlices(hash)
      if (bytes && options.maxBytes !== undefined && bytes.length > options.maxBytes) throw tooLarge(path, bytes.length)
      return bytes
    },
    seen(path) {
      const known = planned.get(path)
      return known === undefined ? seen(path) : known.hash
    },
    seenLines: linesOf,
    add(effects) {
      for (const effect of effects) {
        if (effect.kind === 'write') planned.set(effect.path, { hash: effect.after, lines: linesAfter(effect) })
        else if (effect.kind === 'delete') planned.set(effect.path, { hash: null, lines: null })
      }
    },
  }
}

async function onDisk(env: FileOverlayParts['env'], path: string, options: { readonly maxBytes?: number }): Promise<Uint8Array | null> {
  try {
    return await env.readBytes(path, { ...options, real: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The same error that the environment throws for a file on disk. */
function tooLarge(path: string, bytes: number): Error {
  return Object.assign(new Error(`${path} is too large (${bytes} bytes).`), { code: 'EFBIG' })
}

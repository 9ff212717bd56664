import type { PrepareContext } from '../../agent/ports/tool.ts'
import { CONCURRENT_FILES, MAX_BYTES } from '../files/file-write.ts'
import type { PatchOperation } from './patch-model.ts'

/** Starts to read the files of a patch before their operations are reached, so that several are read at the same time. */
export interface FilePrefetch {
  /** The given context, except that the first read of each file returns the content that was read ahead. */
  readonly context: PrepareContext
  /** Starts to read the files of the operation at `index` and of the next 15. */
  startFrom(index: number): void
}

/** Preparing changes nothing on disk, so a file may be read before the operations that come before it are prepared. */
export function createFilePrefetch(operations: readonly PatchOperation[], context: PrepareContext): FilePrefetch {
  const places = new Map<string, ReturnType<PrepareContext['place']>>()
  const contents = new Map<string, ReturnType<PrepareContext['files']['read']>>()
  let started = 0
  const start = async (path: string): Promise<void> => {
    const place = context.place(path)
    places.set(path, place)
    const real = (await place).path
    const content = context.files.read(real, { maxBytes: MAX_BYTES })
    contents.set(real, content)
    await content
  }
  return {
    context: {
      ...context,
      place: (path) => take(places, path) ?? context.place(path),
      files: { read: (path, options) => take(contents, path) ?? context.files.read(path, options) },
    },
    startFrom(index) {
      for (; started < Math.min(operations.length, index + CONCURRENT_FILES); started++) {
        const path = operations[started]?.path
        // The operation awaits the same promise and reports its failure.
        if (path?.isWellFormed()) void start(path).catch(() => {})
      }
    },
  }
}

function take<T>(from: Map<string, T>, key: string): T | undefined {
  const found = from.get(key)
  from.delete(key)
  return found
}

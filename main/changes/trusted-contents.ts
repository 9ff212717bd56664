import type { ChangedScript } from '../../shared/api/changed-scripts.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import { hashOf } from '../agent/blob-hash.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { ReadScript, TrustedContents } from '../approval/changed-scripts.ts'
import { unifiedDiff } from './unified-diff.ts'

/** Maximum number of bytes of a script whose content is kept and compared. Comparing this much takes a few ms. */
const MAX_BYTES = 128 * 1024
/** Maximum number of characters of the hunks of one script. */
const MAX_SHOWN = 40_000

export function createTrustedContents(blobs: Pick<BlobStore, 'put' | 'get' | 'has'>): TrustedContents {
  return {
    async keep(scripts, read) {
      for (const { path, hash } of scripts) {
        const bytes = await contentOf(path, read)
        if (bytes !== null && hashOf(bytes) === hash) stored(() => blobs.put(bytes))
      }
    },
    async changes(trusted, changed, read) {
      const shown: ChangedScript[] = []
      for (const { path, shown: name, hash } of changed) {
        const before = keptContent(blobs, trusted[path])
        const after = await contentOf(path, read)
        const isSame = after !== null && hashOf(after) === hash
        shown.push({ shown: name, hunks: before === null || !isSame ? null : hunksOf(before.bytes, after) })
      }
      return shown
    },
  }
}

const contentOf = (path: string, read: ReadScript): Promise<Uint8Array | null> => read(path, { maxBytes: MAX_BYTES }).catch(() => null)

/** `bytes` is null if the file did not exist when the others were trusted. Null if its content was not kept. */
function keptContent(blobs: Pick<BlobStore, 'get' | 'has'>, hash: string | undefined): { readonly bytes: Uint8Array | null } | null {
  if (hash === undefined) return { bytes: null }
  const known = BlobHash.safeParse(hash).data
  if (known === undefined) return null
  const bytes = stored(() => (blobs.has(known) ? blobs.get(known) : null))
  return bytes && { bytes }
}

/** Null if the content store has a problem. The change is then only named. */
function stored<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof StorageError) return null
    throw error
  }
}

function hunksOf(before: Uint8Array | null, after: Uint8Array): readonly string[] | null {
  const diff = unifiedDiff(before, after)
  if (diff.kind !== 'text') return null
  const hunks = diff.lines.join('\n').split(/\n(?=@@ )/u)
  let size = 0
  const fitting = hunks.findIndex((hunk) => (size += hunk.length) > MAX_SHOWN)
  return fitting < 0 ? hunks : null
}

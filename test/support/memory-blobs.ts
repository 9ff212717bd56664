import { createHash } from 'node:crypto'
import { BlobHash } from '../../shared/lib/ids.ts'

/** A blob store in memory. */
export function memoryBlobs() {
  const stored = new Map<string, Uint8Array>()
  return {
    has: (hash: BlobHash): boolean => stored.has(hash),
    putInSlices(bytes: Uint8Array): Promise<BlobHash> {
      const hash = BlobHash.parse(createHash('sha256').update(bytes).digest('hex'))
      stored.set(hash, Uint8Array.from(bytes))
      return Promise.resolve(hash)
    },
    getInSlices(hash: BlobHash): Promise<Uint8Array> {
      const bytes = stored.get(hash)
      return bytes ? Promise.resolve(bytes) : Promise.reject(new Error(`${hash} is not stored.`))
    },
    text: (hash: BlobHash): string => (stored.has(hash) ? Buffer.from(stored.get(hash) ?? []).toString() : 'not stored'),
  }
}

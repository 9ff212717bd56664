import { createHash, hash } from 'node:crypto'
import type { BlobHash } from '../../shared/lib/ids.ts'
import { createSlices } from './event-loop-slices.ts'

/** The name of these bytes in the blob store: their SHA-256. */
export const hashOf = (bytes: Uint8Array): BlobHash => hash('sha256', bytes, 'hex') as BlobHash

/** Number of bytes per slice. Hashing them takes about 2 ms. */
const PIECE = 1024 * 1024

/** Like `hashOf`, but other work can run in between. The bytes must not change before it resolves. */
export async function hashInSlices(bytes: Uint8Array): Promise<BlobHash> {
  if (bytes.length <= PIECE) return hashOf(bytes)
  const sum = createHash('sha256')
  const slice = createSlices()
  for (let at = 0; at < bytes.length; at += PIECE) {
    sum.update(bytes.subarray(at, at + PIECE))
    await slice()
  }
  return sum.digest('hex') as BlobHash
}

import { hash } from 'node:crypto'
import type { BlobHash } from '../../shared/lib/ids.ts'

/** The name of these bytes in the blob store: their SHA-256. */
export const hashOf = (bytes: Uint8Array): BlobHash => hash('sha256', bytes, 'hex') as BlobHash

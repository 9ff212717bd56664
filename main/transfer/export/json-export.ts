import { BlobHash, type SessionId } from '../../../shared/lib/ids.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import { type ExportParts, familyOf, redactedEvents } from './read-session.ts'

/** The name in the first line of our format, and the newest version that this app reads and writes. */
export const FORMAT = 'countersign-session'
const FORMAT_VERSION = 1

/** Maximum size in bytes of a blob in an export. Larger blobs are left out, because a line must fit in the memory of any reader. */
const MAX_BLOB_BYTES = 16 * 1024 * 1024

/**
 * The session and its subagents as JSON lines: first `{format, version, exportedAt, sessionId}`, then
 * `{seq, sessionId, after, at, event}` for each event, then `{blob, data}` (base64) for each blob to which the events refer, or
 * `{blob, omitted}` with the reason why its bytes are not in the export.
 */
export async function* jsonExport(parts: ExportParts, root: SessionId): AsyncGenerator<string> {
  const { store, redactor, now } = parts
  const named = new Set<BlobHash>()
  yield line({ format: FORMAT, version: FORMAT_VERSION, exportedAt: new Date(now).toISOString(), sessionId: root })
  for (const sessionId of familyOf(parts, root)) {
    for await (const envelope of redactedEvents(parts, sessionId)) {
      const json = line(envelope)
      for (const [, hash] of json.matchAll(/"([0-9a-f]{64})"/gu)) named.add(BlobHash.parse(hash))
      yield json
    }
  }
  const slice = createSlices()
  for (const hash of named) {
    const bytes = exported(hash, store.blobs, redactor)
    if (bytes !== null)
      yield line(typeof bytes === 'string' ? { blob: hash, omitted: bytes } : { blob: hash, data: bytes.toString('base64') })
    await slice()
  }
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

/** Why the bytes of a blob are not in an export: there are more than `MAX_BLOB_BYTES`, or they contain a known key. */
export const OMITTED = ['too-large', 'known-key'] as const

/** Null if no blob has this hash: events also contain other hashes. */
function exported(hash: BlobHash, blobs: BlobStore, redactor: Pick<Redactor, 'text'>): Buffer | (typeof OMITTED)[number] | null {
  if (!blobs.has(hash)) return null
  const bytes = Buffer.from(blobs.get(hash))
  if (bytes.length > MAX_BLOB_BYTES) return 'too-large'
  const text = bytes.toString('latin1')
  return redactor.text(text) === text ? bytes : 'known-key'
}

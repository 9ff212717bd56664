import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { hashOf } from '../../agent/blob-hash.ts'
import { OMITTED } from '../export/json-export.ts'
import { isDurableEvent } from './event-schemas.ts'
import { type PastEvent, type TranscriptReader, unknownLine } from './transcript.ts'

/** The latest time that a `Date` can represent, in ms since 1970. */
const LATEST_MS = 8.64e15

const envelope = z.object({
  seq: z.number().nullable(),
  sessionId: z.string().min(1),
  at: z.number().int().min(-LATEST_MS).max(LATEST_MS),
  event: z.looseObject({ kind: z.string() }),
})
const blob = z.object({ blob: BlobHash, data: z.base64() })
const omittedBlob = z.object({ blob: BlobHash, omitted: z.enum(OMITTED) })
const header = z.object({ format: z.string(), sessionId: z.string() })

const LIVE = 'Live events, which repeat stored ones'
const DAMAGED_BLOB = 'Stored bytes that do not match their hash'
const OMITTED_BLOB = {
  'too-large': 'Contents above 16 MB, which an export does not contain',
  'known-key': 'Contents with a known key, which an export does not contain',
} as const satisfies Readonly<Record<(typeof OMITTED)[number], string>>

/** Reads our own export, and the JSON lines that a run without a window prints. */
export function countersignLines(): TranscriptReader {
  const sessions = new Map<string, PastEvent[]>()
  const blobs = new Map<BlobHash, Uint8Array>()
  const leftOut = new Map<string, number>()
  let unknown = 0
  let last: { readonly id: string; readonly at: number } | null = null
  const skip = (why: string): void => void leftOut.set(why, (leftOut.get(why) ?? 0) + 1)
  const put = (id: string, past: PastEvent): void => {
    const events = sessions.get(id) ?? []
    if (events.length === 0 && past.event.kind !== 'SESSION_START')
      return keepUnknown(past.at, JSON.stringify(past.event), 'comes before its session')
    if (events.length > 0 && past.event.kind === 'SESSION_START')
      return keepUnknown(past.at, JSON.stringify(past.event), 'starts its session again')
    events.push(past)
    sessions.set(id, events)
    last = { id, at: past.at }
  }
  const keepUnknown = (at: number, raw: string, why?: string): void => {
    const [first] = sessions.keys()
    const id = last?.id ?? first
    unknown++
    if (id !== undefined) sessions.get(id)?.push({ at, seq: 0, event: unknownLine(raw, why) })
  }
  return {
    add(value, raw) {
      const found = envelope.safeParse(value)
      if (found.success) {
        const { seq, sessionId, at, event } = found.data
        if (seq === null) return skip(LIVE)
        if (isDurableEvent(event)) return put(sessionId, { at, seq, event: event as unknown as DurableEvent })
        return keepUnknown(at, raw)
      }
      const bytes = blob.safeParse(value)
      if (bytes.success) {
        const data = Buffer.from(bytes.data.data, 'base64')
        if (hashOf(data) === bytes.data.blob) blobs.set(bytes.data.blob, data)
        else skip(DAMAGED_BLOB)
        return
      }
      const omitted = omittedBlob.safeParse(value)
      if (omitted.success) return skip(OMITTED_BLOB[omitted.data.omitted])
      if (!header.safeParse(value).success) keepUnknown(last?.at ?? 0, raw)
    },
    end() {
      const all = [...sessions].map(([id, events]) => ({ id, events }))
      return all.length === 0 ? null : { source: 'countersign', sessions: all, blobs, unknown, leftOut }
    },
  }
}

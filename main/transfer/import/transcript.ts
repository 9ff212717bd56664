import type { TranscriptSource } from '../../../shared/api/transfer.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'

/** An event of a transcript. */
export interface PastEvent {
  /** Ms since 1970. */
  readonly at: number
  /** In the store that it comes from; 0: it comes from another program. */
  readonly seq: number
  readonly event: DurableEvent
}

/** The first event is its SESSION_START. */
export interface PastSession {
  readonly id: string
  readonly events: readonly PastEvent[]
}

/** What a file holds, as our events. */
export interface Transcript {
  readonly source: TranscriptSource
  /** The person's session, then its subagents, each after its parent. */
  readonly sessions: readonly PastSession[]
  readonly blobs: ReadonlyMap<BlobHash, Uint8Array>
  /** Lines that are not understood, and are entries of the session. */
  readonly unknown: number
  readonly leftOut: ReadonlyMap<string, number>
}

/** Reads the lines of one kind of transcript. */
export interface TranscriptReader {
  /** `value` undefined: the line is not JSON. */
  add(value: unknown, raw: string): void
  /** Null: the lines hold no session. */
  end(): Transcript | null
}

/** Characters of an unknown line that are kept. */
const MAX_RAW = 64 * 1024

/** The entry for a line that is not understood, with its text. */
export function unknownLine(raw: string, why = 'is not understood'): DurableEvent {
  const rest = raw.length - MAX_RAW
  return {
    kind: 'WARNING',
    trouble: {
      code: 'imported_line',
      what: `A line of the imported file ${why}.`,
      kept: rest > 0 ? `${raw.slice(0, MAX_RAW)} … and ${rest} more characters` : raw,
      todo: 'Nothing: the line is kept here unchanged.',
    },
  }
}

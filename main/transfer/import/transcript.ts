import { factsOfFile } from '../../environment/files/user-chosen-file.ts'
import type { TranscriptSource } from '../../../shared/api/transfer.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { ImportOrigin } from '../../store/log/incomplete-sessions.ts'
import { VERSION } from '../../version.ts'

/** An event of a transcript. */
export interface PastEvent {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The event's number in the store from which it comes; 0 if it comes from another program. */
  readonly seq: number
  readonly event: DurableEvent
}

/** A session of a transcript. Its first event is SESSION_START. */
export interface PastSession {
  readonly id: string
  readonly events: readonly PastEvent[]
}

/** The content of a transcript file, as our events. The same file always has the same events. */
export interface Transcript {
  readonly source: TranscriptSource
  /** The user's session, followed by its subagents. Each subagent comes after its parent. */
  readonly sessions: readonly PastSession[]
  readonly blobs: ReadonlyMap<BlobHash, Uint8Array>
  /** The number of lines that are not understood. Each is kept as an entry of the session. */
  readonly unknown: number
  readonly leftOut: ReadonlyMap<string, number>
  /** The file; missing if the transcript does not come from a file. */
  readonly origin?: ImportOrigin
}

/** Reads the lines of one kind of transcript. */
export interface TranscriptReader {
  /** `value` is undefined if the line is not JSON. */
  add(value: unknown, raw: string): void
  /** Null if the lines contain no session. */
  end(): Transcript | null
}

/** Maximum number of characters of an unknown line that are kept. */
const MAX_RAW = 64 * 1024

/** The entry for a line that is not understood. It contains the line's text. */
export function unknownLine(raw: string, why = 'is not understood'): DurableEvent {
  return {
    kind: 'WARNING',
    trouble: {
      code: 'imported_line',
      what: `A line of the imported file ${why}.`,
      kept: shortened(raw),
      todo: 'No action needed. The line is kept here unchanged.',
    },
  }
}

/** The entry for something that the other program noted. `what` is a sentence, and `text` is the note itself. */
export const foreignNote = (what: string, text: string): DurableEvent => ({
  kind: 'WARNING',
  trouble: { code: 'imported_note', what, kept: shortened(text), todo: 'No action needed. The note is kept here as part of the history.' },
})

const shortened = (raw: string): string =>
  raw.length > MAX_RAW ? `${raw.slice(0, MAX_RAW)} … and ${raw.length - MAX_RAW} more characters` : raw

/** Describes the file so that a later launch can tell whether it is the same. Null if it cannot be read. */
export async function originOf(path: string): Promise<ImportOrigin | null> {
  const facts = await factsOfFile(path)
  return facts && { path, ...facts, version: VERSION, tries: 1 }
}

/** Whether the file is the same as when its import began, and this version reads the same events from it. */
export async function isUnchanged({ path, bytes, mtimeMs, version }: ImportOrigin): Promise<boolean> {
  const now = await originOf(path)
  return now !== null && now.bytes === bytes && now.mtimeMs === mtimeMs && now.version === version
}

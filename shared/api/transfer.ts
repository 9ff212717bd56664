import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

/** `json` means JSON lines that can be imported again. The other formats are for reading. */
export const EXPORT_FORMATS = ['markdown', 'html', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export type ExportItem =
  | { readonly kind: 'piece'; readonly text: string }
  /** The last item, after everything was sent. */
  | { readonly kind: 'done'; readonly fileName: string }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

/** The program that wrote a transcript. */
export type TranscriptSource = 'countersign' | 'claude' | 'codex'

/** The marker of an imported session in the store. Its value is the `TranscriptSource`. */
export const IMPORT_MARKER = 'imported'

/** Names of the programs for the user. */
export const SOURCE_NAMES: Readonly<Record<TranscriptSource, string>> = {
  countersign: 'Countersign',
  claude: 'Claude Code',
  codex: 'Codex',
}

/** What an import would add. */
export interface ImportPreview {
  readonly source: TranscriptSource
  readonly title: string
  /** The project folder in the transcript. */
  readonly folder: string
  readonly model: string
  /** Ms since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly messages: number
  readonly answers: number
  readonly calls: number
  readonly subagents: number
  /** Number of lines that are not understood. Each is kept and shown where it occurred. */
  readonly unknown: number
  /** Lines that are left out deliberately, such as abandoned branches, and why. */
  readonly leftOut: readonly { readonly why: string; readonly lines: number }[]
}

/** A transcript on this computer that can be imported. */
export interface FoundTranscript {
  readonly path: string
  readonly source: TranscriptSource
  /** The first words of the user. Empty if they were not found. */
  readonly title: string
  /** The project folder in the transcript. Empty if it was not found. */
  readonly folder: string
  /** When the file was changed last, in ms since 1970. */
  readonly at: number
}

const file = z.object({ path: z.string().min(1).max(4096) })

export const transferApi = {
  /** The text of the exported file in pieces. Known keys are hidden in it. */
  export: stream({ input: z.object({ sessionId: SessionId, format: z.enum(EXPORT_FORMATS) }), item: items<ExportItem>() }),
  /** A summary of a session, to attach to a message in another session. Null if there is no such session. Known keys are hidden in it. */
  summary: command({ input: z.object({ sessionId: SessionId }), output: returns<{ readonly text: string | null }>() }),
  /** The newest transcripts of other programs in the user's home folder, newest first. */
  found: command({ input: z.object({}), output: returns<{ readonly transcripts: readonly FoundTranscript[] }>() }),
  /** Reads a transcript on this computer without storing anything. `~` is the home folder. */
  preview: command({
    input: file,
    output: returns<{ readonly ok: true; readonly preview: ImportPreview } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** Adds the session of a transcript with its subagents. The new session works in `ask` mode and can be continued. */
  import: command({
    input: file,
    output: returns<{ readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
}

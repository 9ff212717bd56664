import { resolve } from 'node:path'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { ExportItem, ImportPreview } from '../../shared/api/transfer.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Store } from '../store/store.ts'
import { EXPORT_ENDINGS, exportSession } from '../transfer/export/export-session.ts'
import { sessionSummary } from '../transfer/export/session-summary.ts'
import { findTranscripts } from '../transfer/import/find-transcripts.ts'
import type { FinishedImports } from '../transfer/import/interrupted-imports.ts'
import { unlessStorageFails } from './storage-failures.ts'

export interface TransferHandlerParts {
  readonly store: Store
  readonly imports: Pick<FinishedImports, 'take'>
  readonly redactor: Redactor
  /** The folder that `~` stands for in paths. */
  readonly home: string
  readonly now: () => number
  readonly imported: () => void
}

type Previewed = { readonly ok: true; readonly preview: ImportPreview } | { readonly ok: false; readonly trouble: Trouble }
type Imported = { readonly ok: true; readonly sessionId: SessionId } | { readonly ok: false; readonly trouble: Trouble }

export function transferHandlers({ store, imports, redactor, home, now, imported }: TransferHandlerParts): AppHandlers['transfer'] {
  const absolute = (path: string): string => resolve(home, path.trim().replace(/^~(?=$|[/\\])/u, home))
  const refused = (trouble: Trouble) => ({ ok: false, trouble }) as const
  return {
    async *export({ sessionId, format }, { signal }): AsyncGenerator<ExportItem> {
      try {
        const title = store.sessions.get(sessionId)?.title ?? ''
        for await (const text of pieces(exportSession({ store, redactor, now: now() }, sessionId, format))) {
          if (signal.aborted) return
          yield { kind: 'piece', text }
        }
        yield { kind: 'done', fileName: `${slug(redactor.text(title))}.${EXPORT_ENDINGS[format]}` }
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        yield { kind: 'failed', trouble: error.trouble }
      }
    },
    summary: ({ sessionId }) =>
      unlessStorageFails<{ readonly text: string | null }>(
        () => ({ text: sessionSummary({ store, redactor }, sessionId) }),
        () => ({ text: null }),
      ),
    found: async () => ({ transcripts: await findTranscripts(home) }),
    preview: ({ path }) =>
      unlessStorageFails<Previewed>(async () => {
        const { previewOf, readTranscript } = await import('../transfer/import/read-transcript.ts')
        const read = await readTranscript(absolute(path))
        return read.ok ? { ok: true, preview: await previewOf(read.value) } : refused(read.failure)
      }, refused),
    import: ({ path }) =>
      unlessStorageFails<Imported>(async () => {
        const finished = await imports.take(absolute(path))
        if (finished !== null) return { ok: true, sessionId: finished }
        const { readTranscript } = await import('../transfer/import/read-transcript.ts')
        const { importSession } = await import('../transfer/import/import-session.ts')
        const read = await readTranscript(absolute(path))
        if (!read.ok) return refused(read.failure)
        const sessionId = await importSession(read.value, { store, redactor })
        imported()
        return { ok: true, sessionId }
      }, refused),
  }
}

/** Maximum number of characters in a piece, which is one frame of the connection. */
const PIECE = 256 * 1024

async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const text of texts) {
    held += text
    for (; held.length >= PIECE; held = held.slice(PIECE)) yield held.slice(0, PIECE)
  }
  if (held) yield held
}

function slug(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return words.slice(0, 60).replaceAll(/^-+|-+$/gu, '') || 'session'
}

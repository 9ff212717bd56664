import type { ExportFormat } from '../../../shared/api/transfer.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { HTML_END, htmlOf, htmlStart } from './html.ts'
import { jsonExport } from './json-export.ts'
import { markdownOf } from './markdown.ts'
import { outline } from './readable-blocks.ts'
import type { ExportParts } from './read-session.ts'

/**
 * A session with its subagents as the text of one file, in pieces. Known keys are hidden. Throws a `StorageError` if the session cannot
 * be read.
 */
export async function* exportSession(parts: ExportParts, sessionId: SessionId, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'json') {
    yield* jsonExport(parts, sessionId)
    return
  }
  if (format === 'markdown') {
    for await (const block of outline(parts, sessionId)) yield markdownOf(block)
    return
  }
  const title = parts.redactor.text(parts.store.sessions.get(sessionId)?.title ?? '')
  yield htmlStart(title || 'Session')
  for await (const block of outline(parts, sessionId)) yield htmlOf(block)
  yield HTML_END
}

/** The default extension of an exported file. */
export const EXPORT_ENDINGS: Readonly<Record<ExportFormat, string>> = { markdown: 'md', html: 'html', json: 'jsonl' }

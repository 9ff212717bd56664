import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { decodeText, textFormOf } from '../text/encoding.ts'
import { readDocumentInWorker } from './read-document-in-worker.ts'
import { notebookCells, notebookText } from './notebook-cells.ts'
import { isPdf } from './pdf-text.ts'
import { groupedCount } from '../../../shared/lib/short-count.ts'

/** Maximum number of characters of a file in a message. A longer file would fill the context window. */
const MAX_CHARACTERS = 400_000

/**
 * The text of a file that a user attaches to a message, below a line with its name. Supports text files, PDF files and notebooks. The
 * failure is the end of a sentence that begins with the file's name. Rejects only with the signal's reason.
 */
export async function attachedText(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<Result<string, string>> {
  const read = await textIn(name, bytes, signal)
  if (!read.ok) return read
  const { text, note } = read.value
  if (text.trim() === '') return failed('contains no text.')
  if (text.length > MAX_CHARACTERS)
    return failed(
      `has ${groupedCount(text.length)} characters, but a message can contain at most ${groupedCount(MAX_CHARACTERS)} characters of a file.`,
    )
  return ok(`File ${name}${note}:\n\n${text}`)
}

interface FileText {
  readonly text: string
  /** Says which part of the file the text contains; empty if it contains the entire file. */
  readonly note: string
}

async function textIn(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<Result<FileText, string>> {
  if (isPdf(bytes)) {
    const read = await readDocumentInWorker({ kind: 'pdf', bytes }, signal)
    if (!read.ok) return read
    return read.value === null
      ? failed('is a PDF that cannot be read: it is damaged, or locked by a password.')
      : ok({ text: read.value, note: ' (the text of a PDF, without its pictures)' })
  }
  const form = textFormOf(bytes)
  if (form === null) return failed('is neither a picture nor text, a PDF or a notebook.')
  const text = decodeText(bytes.subarray(form.bom), form.encoding)
  const cells = name.toLowerCase().endsWith('.ipynb') ? notebookCells(text) : null
  return ok(cells === null ? { text, note: '' } : { text: notebookText(cells), note: ' (a rendering of a Jupyter notebook)' })
}

import { disposable } from '../../../shared/lib/disposable.ts'
import type { RedactedStream, Redactor } from '../../agent/ports/redactor.ts'
import { createUtf8Decoder } from '../../environment/output/utf8-decoder.ts'

/** A command's result, with its secrets removed. */
export function redacted<R extends { readonly stdout: string; readonly stderr: string }>(result: R, redactor: Redactor | null): R {
  return redactor ? { ...result, stdout: redactor.text(result.stdout), stderr: redactor.text(result.stderr) } : result
}

/** A stream of text from which secrets are removed. */
export interface RedactedText {
  write(text: string): void
  end(): void
}

/** Passes everything on unchanged if there is no redactor. */
export function redactedText(redactor: Redactor | null, sink: (text: string) => void): RedactedText {
  if (!redactor) return { write: sink, end: () => {} }
  const decoder = createUtf8Decoder()
  const stream = redactor.stream((bytes) => {
    const text = decoder.write(bytes)
    if (text !== '') sink(text)
  })
  return { write: (text) => stream.write(Buffer.from(text, 'utf8')), end: disposable(() => stream.end()).dispose }
}

export function redactedBytes(redactor: Redactor | null, sink: (bytes: Uint8Array) => void): RedactedStream {
  const stream = redactor?.stream(sink) ?? { write: sink, end: () => {} }
  return { write: (bytes) => stream.write(bytes), end: disposable(() => stream.end()).dispose }
}

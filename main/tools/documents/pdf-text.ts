/** Whether the bytes are a PDF. */
export function isPdf(bytes: Uint8Array): boolean {
  return [0x25, 0x50, 0x44, 0x46, 0x2d].every((byte, at) => bytes[at] === byte)
}

/**
 * The text of a PDF, page by page; null if it cannot be read because it is damaged or locked by a password. This may take a long time, so
 * call it only in a worker.
 */
export async function pdfText(bytes: Uint8Array): Promise<string | null> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  try {
    const document = await getDocumentProxy(bytes, { verbosity: 0 })
    const { text } = await extractText(document, { mergePages: false })
    return text.map((page, index) => `[Page ${index + 1} of ${text.length}]\n${page.trim()}\n`).join('\n')
  } catch {
    return null
  }
}

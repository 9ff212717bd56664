import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { readDocumentInWorker } from '../documents/read-document-in-worker.ts'
import { isPdf } from '../documents/pdf-text.ts'
import type { Page } from './fetch-page.ts'

export interface PageText {
  readonly title: string | null
  readonly text: string
}

/**
 * The readable text of a page: the article of an HTML page as Markdown, the text of a PDF, any other text unchanged. The failure is the
 * end of a sentence that starts with the page's address.
 */
export async function pageText(page: Page, signal: AbortSignal): Promise<Result<PageText, string>> {
  if (isPdf(page.bytes)) {
    const text = await readDocumentInWorker({ kind: 'pdf', bytes: page.bytes }, signal)
    if (!text.ok) return text
    return text.value === null ? failed('is a PDF that cannot be read.') : ok({ title: null, text: text.value })
  }
  if (!isText(page)) return failed(`is ${page.type || 'of an unknown type'} (${page.bytes.length} bytes), which is not read as text.`)
  const text = decoded(page)
  return isHtml(page, text) ? readDocumentInWorker({ kind: 'article', html: text, url: page.url.href }, signal) : ok({ title: null, text })
}

function isText({ type, bytes }: Page): boolean {
  if (/^text\/|[/+](?:json|xml|yaml|javascript|x-javascript|toml)$/u.test(type)) return true
  return type === '' && !bytes.includes(0)
}

function isHtml({ type }: Page, text: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml' || (type === '' && /^\s*<(?:!doctype html|html)/iu.test(text))
}

function decoded({ bytes, charset }: Page): string {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  const named = charset ?? /<meta[^>]+charset=["']?(?<name>[\w-]+)/iu.exec(head)?.groups?.['name']
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

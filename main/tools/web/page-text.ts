import { isPdf, pdfText } from '../documents/pdf-text.ts'
import type { Page } from './fetch-page.ts'
import { articleOf } from './article.ts'

export interface PageText {
  readonly title: string | null
  readonly text: string
}

/** A page for reading: of HTML the article as Markdown, of a PDF its text, any other text as it is. Null: it is no text. */
export async function pageText(page: Page): Promise<PageText | null> {
  if (isPdf(page.bytes)) {
    const text = await pdfText(page.bytes)
    return text === null ? null : { title: null, text }
  }
  if (!isText(page)) return null
  const text = decoded(page)
  const isHtml =
    /^(?:text\/html|application\/xhtml\+xml)$/u.test(page.type) || (page.type === '' && /^\s*<(?:!doctype html|html)/iu.test(text))
  return isHtml ? articleOf(text, page.url) : { title: null, text }
}

function isText({ type, bytes }: Page): boolean {
  if (/^text\/|[/+](?:json|xml|yaml|javascript|x-javascript|toml)$/u.test(type) || type === 'application/xhtml+xml') return true
  return type === '' && !bytes.includes(0)
}

function decoded({ bytes, charset }: Page): string {
  const named =
    charset ?? /<meta[^>]+charset=["']?(?<name>[\w-]+)/iu.exec(Buffer.from(bytes.subarray(0, 2048)).toString('latin1'))?.groups?.['name']
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

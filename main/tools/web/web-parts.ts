import { createDuckDuckGo, type SearchBackend } from './duck-duck-go.ts'
import type { FetchPage, FetchParts } from './fetch-page.ts'
import { innerAddress, isPublicAddress, literalAddress } from './public-addresses.ts'

export interface WebParts {
  readonly fetchPage: FetchPage
  /** Why an address is never fetched, if the address alone shows it, so that nobody is asked. Null: it may be fetched. */
  refusal(url: URL): string | null
  readonly search: SearchBackend
}

/** The code that reaches the web is loaded on first use, since most sessions never use it. `parts` absent: the public web. */
export function createWebParts(parts?: FetchParts): WebParts {
  const fetchPage: FetchPage = async (url, signal) => {
    const { createFetchPage, OPEN_WEB } = await import('./fetch-page.ts')
    return createFetchPage(parts ?? OPEN_WEB)(url, signal)
  }
  const isAllowed = parts?.isAllowed ?? isPublicAddress
  const refusal = (url: URL): string | null => {
    const literal = literalAddress(url)
    return literal === null || isAllowed(literal) ? null : innerAddress(url.hostname.replace(/^\[|\]$/gu, ''), literal)
  }
  return { fetchPage, refusal, search: createDuckDuckGo(fetchPage) }
}

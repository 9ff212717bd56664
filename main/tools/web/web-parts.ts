import { createDuckDuckGo } from './duck-duck-go.ts'
import type { FetchPage, FetchParts } from './fetch-page.ts'
import { innerAddress, literalAddress } from './inner-address.ts'
import { isPublicAddress } from './public-address.ts'
import type { SearchBackend } from './search-backend.ts'

export interface WebParts {
  readonly fetchPage: FetchPage
  /** Why an address is never fetched, as far as it says so itself, before anybody is asked; null: it may be. */
  refusal(url: URL): string | null
  readonly search: SearchBackend
}

/** What reaches the web is loaded when it is first asked for: most sessions never do. `parts` left out: the open web. */
export function createWebParts(parts?: FetchParts): WebParts {
  const fetchPage: FetchPage = async (url, signal) => {
    const { createFetchPage } = await import('./fetch-page.ts')
    return createFetchPage(parts ?? (await import('./open-web.ts')).OPEN_WEB)(url, signal)
  }
  const isAllowed = parts?.isAllowed ?? isPublicAddress
  const refusal = (url: URL): string | null => {
    const literal = literalAddress(url)
    return literal === null || isAllowed(literal) ? null : innerAddress(url.hostname.replace(/^\[|\]$/gu, ''), literal)
  }
  return { fetchPage, refusal, search: createDuckDuckGo(fetchPage) }
}

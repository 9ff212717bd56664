import { createDuckDuckGo, type SearchBackend } from './duck-duck-go.ts'
import type { FetchPage, FetchParts } from './fetch-page.ts'
import { innerAddress, isPublicAddress, literalAddress } from './public-addresses.ts'

export interface LazyWebCode {
  readonly fetchPage: FetchPage
  /**
   * The reason why an address is never fetched, if the address alone shows it. In that case, the user is not asked. Null if the address may
   * be fetched.
   */
  refusal(url: URL): string | null
  readonly search: SearchBackend
}

/**
 * The code that accesses the web is loaded on first use, because most sessions never use it. If `parts` is absent, the tools use the
 * public web.
 */
export function createWebParts(parts?: FetchParts): LazyWebCode {
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

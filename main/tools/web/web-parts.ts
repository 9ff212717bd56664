import { createDuckDuckGo } from './duck-duck-go.ts'
import type { FetchPage, FetchParts } from './fetch-page.ts'
import type { SearchBackend } from './search-backend.ts'

export interface WebParts {
  readonly fetchPage: FetchPage
  readonly search: SearchBackend
}

/** What reaches the web is loaded when it is first asked for: most sessions never do. `parts` left out: the open web. */
export function createWebParts(parts?: FetchParts): WebParts {
  const fetchPage: FetchPage = async (url, signal) => {
    const { createFetchPage } = await import('./fetch-page.ts')
    return createFetchPage(parts ?? (await import('./open-web.ts')).OPEN_WEB)(url, signal)
  }
  return { fetchPage, search: createDuckDuckGo(fetchPage) }
}

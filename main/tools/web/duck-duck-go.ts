import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { readDocumentInWorker } from '../documents/read-document-in-worker.ts'
import type { SearchHit } from '../documents/duck-duck-go-hits.ts'
import type { FetchPage } from './fetch-page.ts'

/** Number of hits on one page. */
const PER_PAGE = 30

/** DuckDuckGo's page for browsers without JavaScript. It needs no key. `base` is another server of the same kind, for tests. */
export function createDuckDuckGo(fetchPage: FetchPage, base = 'https://html.duckduckgo.com/html/'): SearchBackend {
  const url = (query: string, page: number): URL => {
    const asked = new URL(base)
    asked.searchParams.set('q', query)
    if (page > 1) asked.searchParams.set('s', String((page - 1) * PER_PAGE))
    return asked
  }
  return {
    name: 'DuckDuckGo',
    url,
    async search(query, page, signal) {
      const found = await fetchPage(url(query, page), signal)
      if (!found.ok) return found
      if (found.value.status !== 200) {
        return failed(
          reason`The search answered with status ${found.value.status}. ${modelOnly('Try again later, or use other search terms.')}`,
        )
      }
      const hits = await readDocumentInWorker({ kind: 'hits', html: new TextDecoder().decode(found.value.bytes) }, signal)
      if (!hits.ok) return failed(`The page of results ${hits.failure}`)
      return hits.value === null
        ? failed(reason`The search engine blocked the request as automated. ${modelOnly('Try again later.')}`)
        : ok(hits.value)
    },
  }
}

/** A search engine. `url` is the address that a search fetches; it is shown before it is signed. The failure is a sentence. */
export interface SearchBackend {
  readonly name: string
  url(query: string, page: number): URL
  search(query: string, page: number, signal: AbortSignal): Promise<Result<readonly SearchHit[], ReasonText>>
}

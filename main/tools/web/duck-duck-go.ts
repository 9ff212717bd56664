import { failed, ok } from '../../../shared/lib/result.ts'
import type { FetchPage } from './fetch-page.ts'
import type { SearchBackend, SearchHit } from './search-backend.ts'

/** Hits of one page. */
const PER_PAGE = 30

/** DuckDuckGo's page for browsers without scripts: it needs no key. `base`: another address of the same form, for tests. */
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
      if (found.value.status !== 200)
        return failed(`The search answered with status ${found.value.status}. Try again later, or search with other words.`)
      const { parseHTML } = await import('linkedom')
      const { document } = parseHTML(new TextDecoder().decode(found.value.bytes))
      const hits = [...document.querySelectorAll('.result')].flatMap(hitOf)
      const isRefused = hits.length === 0 && document.querySelector('.anomaly-modal__title, #challenge-form') !== null
      return isRefused ? failed('The search takes us for a robot and answers nothing for a while.') : ok(hits)
    },
  }
}

function hitOf(result: Element): readonly SearchHit[] {
  const link = result.querySelector('a.result__a')
  const href = link?.getAttribute('href') ?? ''
  const given = URL.parse(href, 'https://duckduckgo.com')
  const url = given?.searchParams.get('uddg') ?? given?.href ?? ''
  if (!link || !/^https?:/u.test(url) || result.classList.contains('result--ad')) return []
  const text = (element: Element | null): string => (element?.textContent ?? '').replaceAll(/\s+/gu, ' ').trim()
  return [{ title: text(link), url, snippet: text(result.querySelector('.result__snippet')) }]
}

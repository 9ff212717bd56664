export interface SearchHit {
  readonly title: string
  readonly url: string
  readonly snippet: string
}

/**
 * The results on a page of DuckDuckGo, without advertisements; null if DuckDuckGo blocked the request as automated. Call it only in a
 * worker.
 */
export async function searchHits(html: string): Promise<readonly SearchHit[] | null> {
  const { parseHTML } = await import('linkedom')
  const { document } = parseHTML(html)
  const hits = [...document.querySelectorAll('.result')].flatMap(hitOf)
  const isRefused = hits.length === 0 && document.querySelector('.anomaly-modal__title, #challenge-form') !== null
  return isRefused ? null : hits
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

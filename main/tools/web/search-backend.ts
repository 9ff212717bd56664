import type { Result } from '../../../shared/lib/result.ts'
import type { SearchHit } from '../documents/search-hits.ts'

/** Where web_search asks. `url` is what a search would fetch, shown before it is signed; a failure is a sentence. */
export interface SearchBackend {
  readonly name: string
  url(query: string, page: number): URL
  search(query: string, page: number, signal: AbortSignal): Promise<Result<readonly SearchHit[], string>>
}

import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const WebSearchInput = z.object({
  query: z.string().min(1).max(400).describe('What to search for. It is sent to a search engine, so leave out private data.'),
  page: z.number().int().min(1).max(10).optional().describe('Page of results. Default: 1.'),
})
export type WebSearchInput = z.infer<typeof WebSearchInput>

export interface WebSearchDetails {
  readonly query: string
  readonly hits: readonly { readonly title: string; readonly url: string }[]
}

export const webSearchSpec = {
  name: 'web_search',
  verb: 'Search',
  description: 'Searches the web. Returns the title, address and a short excerpt of each page.',
  input: WebSearchInput,
} satisfies ToolSpec<typeof WebSearchInput>

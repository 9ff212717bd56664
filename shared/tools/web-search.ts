import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const WebSearchInput = z.object({
  query: z.string().min(1).max(400).describe('What to search for. It is sent to a search engine: leave out what is private.'),
  page: z.number().int().min(1).max(10).optional().describe('Page of the results; 1 when left out.'),
})
export type WebSearchInput = z.infer<typeof WebSearchInput>

export interface WebSearchDetails {
  readonly query: string
  readonly hits: readonly { readonly title: string; readonly url: string }[]
}

export const webSearchSpec = {
  name: 'web_search',
  verb: 'Search',
  description: 'Searches the web and lists titles, addresses and a line of each page. Read one with web_fetch.',
  input: WebSearchInput,
} satisfies ToolSpec<typeof WebSearchInput>

import { z } from 'zod'
import { named, rename } from '../foreign-arguments/argument-aliases.ts'
import { each, isNotFirst, isOtherThan } from '../foreign-arguments/argument-refusals.ts'
import { callLine, textArgument } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'

const WebFetchInput = z.object({
  url: z.string().min(1).describe('Address of the page, with http or https.'),
})
type WebFetchInput = z.infer<typeof WebFetchInput>

export const WebFetchDetails = z.object({
  /** The final address, after redirects. */
  url: z.string(),
  status: z.number(),
  title: z.string().nullable().default(null),
  bytes: z.number(),
})
export type WebFetchDetails = z.infer<typeof WebFetchDetails>

export const webFetchSpec = toolSpec({
  name: 'web_fetch',
  verb: 'Fetch',
  description:
    'Fetches a web page and returns its readable text as Markdown. Also returns the text of PDF, JSON and plain text files. Addresses of this computer or the local network are not fetched.',
  use: 'Use it for pages that the developer or an earlier result named.',
  isOffered: true,
  input: WebFetchInput,
  details: WebFetchDetails,
  line: (call, details) => callLine('Fetch', textArgument(call, 'url'), details?.title ?? ''),
  otherNames: ['WebFetch', 'web_extract'],
  aliases: named(['uri', 'address', 'link'], rename('url')),
  refuses: {
    method: { why: 'Pages are fetched with GET.', when: isOtherThan('get') },
    ...each(['headers', 'body', 'data', 'json', 'form'], { why: 'Pages are fetched with GET only.' }),
    ...each(['start_index', 'offset'], { why: 'Read the rest of a long page with read_output.', when: isNotFirst }),
  },
})

const WebSearchInput = z.object({
  query: z.string().min(1).max(400).describe('What to search for. It is sent to a search engine, so leave out private data.'),
  page: z.number().int().min(1).max(10).optional().describe('Page of results. Default: 1.'),
})
type WebSearchInput = z.infer<typeof WebSearchInput>

export const WebSearchDetails = z.object({
  query: z.string(),
  hits: z.array(z.object({ title: z.string(), url: z.string() })),
})
export type WebSearchDetails = z.infer<typeof WebSearchDetails>

export const webSearchSpec = toolSpec({
  name: 'web_search',
  verb: 'Search',
  description: 'Searches the web. Returns the title, address and a short excerpt of each page.',
  use: 'Use it for facts that the project cannot tell you, such as a current version.',
  isOffered: true,
  input: WebSearchInput,
  details: WebSearchDetails,
  line: (call) => callLine('Search', textArgument(call, 'query'), 'on the web'),
  otherNames: ['WebSearch', 'google_web_search'],
  aliases: named(['q', 'search_query', 'search_term'], rename('query')),
  refuses: each(['allowed_domains', 'include_domains', 'blocked_domains', 'exclude_domains', 'domains', 'site'], {
    why: 'Write site:example.com or -site:example.com in the query.',
  }),
})

import type { NetworkEffect } from '../../shared/session/effects.ts'
import { type WebSearchDetails, webSearchSpec } from '../../shared/tools/web-search.ts'
import type { RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define/define-tool.ts'
import { failure, rejected } from './define/outcome.ts'
import type { SearchBackend } from './web/duck-duck-go.ts'

/** The query leaves this machine, so the effect is network access to the address that contains it. */
export function createWebSearchTool({ search }: { readonly search: SearchBackend }): Tool {
  return defineTool(webSearchSpec, ({ query, page = 1 }) => {
    if (!query.isWellFormed() || query.includes('\0')) return Promise.resolve(rejected('The query holds what is no character.'))
    const { href, host } = search.url(query, page)
    const effect: NetworkEffect = { kind: 'network', url: href, host }
    return Promise.resolve({ kind: 'ready', effects: [effect], commit: (run) => found(search, { query, page }, run) })
  })
}

interface Asked {
  readonly query: string
  readonly page: number
}

async function found(backend: SearchBackend, { query, page }: Asked, run: RunContext): Promise<ToolOutput> {
  const hits = await backend.search(query, page, run.signal)
  if (!hits.ok) return failure(hits.failure)
  const lines = hits.value.map(({ title, url, snippet }, index) => `${index + 1}. ${title}\n   ${url}\n   ${snippet}`.trimEnd())
  const details: WebSearchDetails = { query, hits: hits.value.map(({ title, url }) => ({ title, url })) }
  const output =
    lines.length === 0 ? `${backend.name} found nothing for this query.` : [`${backend.name}, page ${page}:`, ...lines].join('\n')
  return { output, isError: false, details: { ...details, hits: [...details.hits] } }
}

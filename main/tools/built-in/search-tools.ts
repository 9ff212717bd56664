import { failure } from '../../agent/tool-output.ts'
import { searchToolsSpec } from '../../../shared/tools/built-in/search-tools.ts'
import type { Tool } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'

export interface SearchableTool {
  readonly server: string
  readonly tool: Tool
}

/** Number of tools that one search adds, unless the call sets another: few enough to be read, and enough for one task. */
const MAX_FOUND = 8
/** Maximum number of characters of a description in the result. The complete description comes with the tool. */
const MAX_DESCRIPTION = 300
/** The weight of a word in the name. A name says more than a description. */
const NAME_WEIGHT = 3

/** Finds tools by words, and adds them to the list that the model gets. */
export function createSearchToolsTool(all: readonly SearchableTool[]): Tool {
  const tool = defineTool(searchToolsSpec, ({ query, limit = MAX_FOUND }) =>
    Promise.resolve({
      kind: 'ready',
      effects: [],
      commit(run) {
        const found = ranked(all, query).slice(0, limit)
        if (found.length === 0) return Promise.resolve(failure(`No tool has these words in its name or description. ${servers(all)}`))
        run.offer(found.map(({ tool: { definition } }) => definition.name))
        const lines = found.map(({ tool: { definition } }) => `- ${definition.name}: ${definition.description.slice(0, MAX_DESCRIPTION)}`)
        const output = ['These tools are in your list from now on, with their arguments:', ...lines].join('\n')
        return Promise.resolve({ output, isError: false, details: null })
      },
    }),
  )
  const { definition } = tool
  return {
    ...tool,
    definition: {
      name: definition.name,
      description: `${definition.description} ${servers(all)}`,
      get parameters() {
        return definition.parameters
      },
    },
  }
}

function servers(all: readonly SearchableTool[]): string {
  const counts = new Map<string, number>()
  for (const { server } of all) counts.set(server, (counts.get(server) ?? 0) + 1)
  return `Servers, with the number of tools of each: ${[...counts].map(([server, count]) => `${server} (${count})`).join(', ')}.`
}

/** The tools in which words of the query occur, best first. */
function ranked(all: readonly SearchableTool[], query: string): readonly SearchableTool[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
  const scored = all.map((one) => ({ one, score: scoreOf(one, words) })).filter(({ score }) => score > 0)
  return scored.toSorted((a, b) => b.score - a.score).map(({ one }) => one)
}

function scoreOf({ tool: { definition } }: SearchableTool, words: readonly string[]): number {
  const name = definition.name.toLowerCase()
  const description = definition.description.toLowerCase()
  return words.reduce((sum, word) => sum + (name.includes(word) ? NAME_WEIGHT : 0) + (description.includes(word) ? 1 : 0), 0)
}

import { z } from 'zod'
import { named, rename } from '../foreign-arguments/argument-aliases.ts'
import { NO_DETAILS, toolSpec } from '../spec/tool-spec.ts'
import { callLine, textArgument } from '../spec/call-line.ts'

const SearchToolsInput = z.object({
  query: z.string().min(1).max(1000).describe('Words for what the tool should do, or its name.'),
  limit: z.number().int().min(1).max(20).optional().describe('The most tools to add. Default: 8.'),
})
type SearchToolsInput = z.infer<typeof SearchToolsInput>

/**
 * Offered only if sending the tools of MCP servers with each request would take too many tokens. The names of these servers are then added
 * to the description.
 */
export const searchToolsSpec = toolSpec({
  name: 'search_tools',
  verb: 'Search',
  description:
    'Finds MCP tools that are not in your list yet, and adds them to it. Call it before you decide that something cannot be done.',
  input: SearchToolsInput,
  reads: 'session',
  details: NO_DETAILS,
  line: (call) => callLine('Search', 'tools', textArgument(call, 'query')),
  otherNames: ['ToolSearch', 'tool_search'],
  aliases: { ...named(['q', 'text', 'search'], rename('query')), ...named(['max_results', 'count'], rename('limit')) },
})

import { attentionOf, type McpServerState } from '../../../shared/api/mcp.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { McpServers } from '../../mcp/servers.ts'
import { visibleLine } from './visible-text.ts'

const SEE = 'To see them: npm run -s agent -- mcp list'

/**
 * Reports on standard error what the folder's MCP servers need from the user, and reports each such need only once. A server without
 * approved tools is reported immediately, and a server that fails or changes is reported when that happens.
 */
export function reportServers(servers: Pick<McpServers, 'state' | 'onChange'>, folder: string, say: (words: string) => void): Disposable {
  const said = new Set<string>()
  const own = (): readonly McpServerState[] => servers.state().servers.filter((server) => server.folder === folder)
  const unapproved = own().filter(hasNoneApproved)
  for (const { name } of unapproved) said.add(`approve ${name}`)
  for (const problem of servers.state().problems) say(`${visibleLine(problem)}\n`)
  const names = unapproved.map(({ name }) => visibleLine(name)).join(', ')
  if (names !== '') say(`No tools of these MCP servers are approved, so the model gets none of them: ${names}. ${SEE}\n`)
  const report = (): void => {
    for (const server of own()) {
      const words = wordsFor(server)
      const key = `${attentionOf(server)} ${server.name}`
      if (words === null || said.has(key)) continue
      said.add(key)
      say(`${visibleLine(words)}\n`)
    }
  }
  report()
  return servers.onChange(report)
}

/** While a server is starting, its `tools` are those that the user approved before. */
const hasNoneApproved = (server: McpServerState): boolean =>
  attentionOf(server) === 'approve' || (server.status === 'starting' && server.tools.length === 0)

/** Null if there is nothing to report. */
function wordsFor(server: McpServerState): string | null {
  const { name, failure } = server
  const attention = attentionOf(server)
  switch (attention) {
    case null:
      return null
    case 'approve':
      return `No tools of the MCP server ${name} are approved, so the model gets none of them. ${SEE}`
    case 'changed':
      return `The tools of the MCP server ${name} have changed since you approved them, so the model gets none of them. ${SEE}`
    case 'failed':
      return `The MCP server ${name} is not running: ${failure ?? ''}`
    case 'sign_in':
      return `The MCP server ${name} needs you to sign in, which is impossible without a window. Put a token into the server’s headers instead.`
    default:
      return assertNever(attention, 'attention')
  }
}

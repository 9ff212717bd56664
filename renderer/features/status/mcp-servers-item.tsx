import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { attentionOf, type McpAttention, type McpServerState } from '../../../shared/api/mcp.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showServers } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { StatusItem } from '../../ui/frame/status-strip.tsx'
import { counted } from '../../ui/format.ts'
import styles from './status.module.css'

/**
 * The MCP servers of the session's folder that need the user, with a link to their settings. If no session is open, all servers that need
 * the user, whatever their folder.
 */
export function McpServersItem({ sessionId }: { readonly sessionId: SessionId | null }): ReactNode {
  const desk = useDesk()
  const listed = useStore(desk.list, ({ sessions }) => (sessionId === null ? undefined : sessions.get(sessionId)?.folder))
  const folder = listed ?? null
  const mcp = useStore(desk.mcp, (state) => state.mcp)
  const needing = (mcp?.servers ?? []).flatMap((server) => {
    const attention = folder === null || server.folder === folder ? attentionOf(server) : null
    return attention === null ? [] : [{ server, attention }]
  })
  const [first] = needing
  if (!first) return null
  const isBroken = needing.every(({ attention }) => attention === 'failed')
  const words = needing.length === 1 ? wordsFor(first) : `${needing.length} MCP servers ${isBroken ? 'failed' : 'need you'}`
  return (
    <StatusItem tone={isBroken ? 'failed' : 'needs'}>
      <button
        type="button"
        className={styles.way}
        data-tip="Opens Settings > MCP servers. Until then the model works without the tools of these servers."
        onClick={() => showServers(desk)}
      >
        {words}
      </button>
    </StatusItem>
  )
}

function wordsFor({ server, attention }: { readonly server: McpServerState; readonly attention: McpAttention }): string {
  const name = `MCP server ${server.name}`
  switch (attention) {
    case 'approve':
      return `${name}: ${counted(server.tools.length, 'tool')} to approve`
    case 'changed':
      return `${name}: changed its tools`
    case 'failed':
      return `${name}: failed`
    case 'sign_in':
      return `${name}: needs you to sign in`
    default:
      return assertNever(attention, 'attention')
  }
}

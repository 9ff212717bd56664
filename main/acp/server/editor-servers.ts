import type { McpServer } from '@agentclientprotocol/sdk'
import type { App } from '../../compose/app.ts'
import { readEntry, type ServerDraft } from '../../mcp/server-entries.ts'

/** Maximum time in ms that a prompt waits for the editor's servers. */
const START_MS = 15_000

/** The MCP servers that an editor passes on for its sessions in one folder. */
export interface EditorServers {
  list(): readonly ServerDraft[]
  /** Adds the servers of a session. Servers of the same name are replaced. */
  add(servers: readonly McpServer[]): void
}

export function createEditorServers(): EditorServers {
  let known: readonly ServerDraft[] = []
  return {
    list: () => known,
    add(servers) {
      const drafts = servers.flatMap(draftOf)
      known = [...known.filter(({ name }) => !drafts.some((draft) => draft.name === name)), ...drafts]
    },
  }
}

/** Empty for a kind of server that is not supported and was not advertised. */
function draftOf(server: McpServer): readonly ServerDraft[] {
  const record = (pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> =>
    Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
  const entry = readEntry(
    'command' in server
      ? { command: server.command, args: server.args, env: record(server.env) }
      : { type: server.type, url: server.url, headers: record(server.headers) },
  )
  return typeof entry === 'string' ? [] : [{ name: server.name, entry }]
}

/**
 * Starts the editor's servers in a folder and offers their tools, because the user has chosen the servers in the editor. Resolves when all
 * of them run or have failed, or after `START_MS`.
 */
export async function startEditorServers({ mcp }: Pick<App, 'mcp'>, folder: string, servers: EditorServers): Promise<void> {
  const isGiven = (name: string): boolean => servers.list().some((one) => one.name === name)
  if (servers.list().length === 0) return
  mcp.open(folder)
  // A server that does not start is reported by its state, and the turn goes on without it.
  await mcp.settled(folder, isGiven, AbortSignal.timeout(START_MS)).catch(() => {})
  for (const { name, toApprove } of mcp.state().servers.filter((one) => one.folder === folder && isGiven(one.name)))
    if (toApprove !== null) mcp.approve(folder, name, toApprove)
}

import type { FolderServer, ServerTool } from './folder-server.ts'
import { toolsOf } from './folder-tools.ts'
import type { McpServer } from './server.ts'
import { choiceFor, type Choices } from './server-choices.ts'

export interface LayerServersParts extends Choices {
  /** The servers of the folder, and the tools that they offer. `tools` is the same array while nothing changes. */
  opened(): { readonly servers: readonly FolderServer[]; readonly tools: readonly ServerTool[] }
  /** Makes a server like this one that runs in the layer. It is not started yet. */
  make(known: FolderServer): McpServer
}

/** The MCP tools of a session that works in a layer over the folder. */
export interface LayerServers {
  /** Returns the same array while nothing changes. Never waits. */
  tools(): readonly ServerTool[]
  /** Ends the servers that were started in the layer. */
  close(): Promise<void>
}

/**
 * The tools are those of the folder's servers, which the user has approved. A program runs once more, in the layer, when one of its tools is
 * called there for the first time. Servers at an address, and programs that the user gave their own rights, are those of the folder.
 */
export function createLayerServers({ opened, make, ...choices }: LayerServersParts): LayerServers {
  const own = new Map<FolderServer, McpServer>()
  let made: { readonly of: readonly ServerTool[]; readonly tools: readonly ServerTool[] } | null = null
  const inLayer = (known: FolderServer): FolderServer => {
    if (known.entry.type !== 'stdio' || choiceFor(choices, known).isFree) return known
    const server = own.get(known) ?? make(known)
    own.set(known, server)
    return { ...known, server }
  }
  return {
    tools() {
      const { servers, tools } = opened()
      if (made?.of !== tools) made = { of: tools, tools: toolsOf(choices, servers.map(inLayer)) }
      return made.tools
    },
    async close() {
      await Promise.all(own.values().map((server) => server.close()))
    },
  }
}

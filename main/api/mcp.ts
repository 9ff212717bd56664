import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Done } from '../../shared/api/sessions.ts'
import type { McpServers } from '../mcp/servers.ts'
import { latest } from './latest.ts'

const DONE: Done = { ok: true }

export function mcpHandlers(servers: McpServers): AppHandlers['mcp'] {
  return {
    watch: (_, { signal }) => latest(() => servers.state(), servers.onChange, signal),
    approve({ folder, name, hash }) {
      if (servers.approve(folder, name, hash)) return Promise.resolve(DONE)
      return Promise.resolve({
        ok: false,
        trouble: {
          code: 'mcp_tools_changed',
          what: `The tools of ${name} were not approved: the server has ended, or has other tools now.`,
          kept: 'None of its new tools are offered to the model.',
          todo: 'Look at the tools that it has now, and approve those.',
        },
      })
    },
    async restart({ folder, name }) {
      await servers.restart(folder, name)
      return DONE
    },
    switchTool({ folder, name, tool, isOn }) {
      servers.switchTool(folder, name, tool, isOn)
      return Promise.resolve(DONE)
    },
    async setFree({ folder, name, isFree }) {
      await servers.setFree(folder, name, isFree)
      return DONE
    },
  }
}

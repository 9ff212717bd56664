import type { AppHandlers } from '../../shared/api/contract.ts'
import type { ImportedSecrets, McpImportPreview, McpResource, McpState } from '../../shared/api/mcp.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Done } from '../../shared/api/sessions.ts'
import type { McpServers } from '../mcp/servers.ts'
import { unlessStorageFails } from './storage-failures.ts'
import { latestValue } from './latest-value.ts'

const DONE: Done = { ok: true }

/** Maximum number of matching resources that are returned. */
const MAX_RESOURCES = 8
/** Maximum number of characters of a resource that are attached. */
const MAX_CHARS = 30_000

export interface McpHandlerParts {
  readonly servers: McpServers
  readonly redactor: Pick<Redactor, 'text'>
  /** Lists the MCP servers of other agents. If `folder` is null, lists only servers that belong to no folder. */
  importPreview(folder: string | null): Promise<McpImportPreview>
  importServers(folder: string | null, ids: readonly string[], secrets: ImportedSecrets): Promise<Result<readonly string[], Trouble>>
  isTrusted(folder: string): boolean
}

export function mcpHandlers({ servers, redactor, ...parts }: McpHandlerParts): AppHandlers['mcp'] {
  return {
    ...importHandlers(servers, parts),
    ...signInHandlers(servers),
    watch: (_, { signal }) => latestValue(() => redacted(servers.state(), redactor), servers.onChange, signal),
    describe: ({ folder, name, tool }) => Promise.resolve({ text: servers.describe(folder, name, tool) }),
    approve({ folder, name, hash }) {
      if (servers.approve(folder, name, hash)) return Promise.resolve(DONE)
      return Promise.resolve({
        ok: false,
        trouble: {
          code: 'mcp_tools_changed',
          what: `The tools of ${name} were not approved: the server has ended or has changed its tools.`,
          kept: 'None of its new tools are offered to the model.',
          todo: 'Look at the server’s current tools and approve them.',
        },
      })
    },
    resources({ folder, typed }) {
      const wanted = typed.toLowerCase()
      const fits = ({ uri, name }: McpResource): boolean => `${uri}\n${name}`.toLowerCase().includes(wanted)
      return Promise.resolve({ resources: servers.resources(folder).filter(fits).slice(0, MAX_RESOURCES) })
    },
    async resource({ folder, name, uri }) {
      try {
        const text = await servers.resource(folder, name, uri)
        const rest = text.length - MAX_CHARS
        return { ok: true, text: redactor.text(rest > 0 ? `${text.slice(0, MAX_CHARS)}\n[${rest} more characters]` : text) }
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return {
          ok: false,
          trouble: {
            code: 'mcp_resource',
            what: `${uri} of the MCP server ${name} could not be read: ${why}`,
            kept: 'The message is unchanged.',
            todo: 'See the server’s state in Settings > MCP servers.',
          },
        }
      }
    },
    async setSecret({ folder, name, variable, value }) {
      try {
        await servers.setSecret(folder, name, variable, value)
        return DONE
      } catch (error) {
        return { ok: false, trouble: notKept(name, variable, error) }
      }
    },
    async restart({ folder, name }) {
      await servers.restart(folder, name)
      return DONE
    },
    switchTool({ folder, name, tool, isOn }) {
      servers.switchTool(folder, name, tool, isOn)
      return Promise.resolve(DONE)
    },
    async setFree({ folder, name, ...wanted }) {
      await servers.setFree(folder, name, wanted)
      return DONE
    },
  }
}

type Handlers = AppHandlers['mcp']
type ImportParts = Pick<McpHandlerParts, 'importPreview' | 'importServers' | 'isTrusted'>

function importHandlers(servers: McpServers, parts: ImportParts): Pick<Handlers, 'importPreview' | 'import'> {
  const trusted = async (folder: string | null): Promise<string | null> => {
    const isTrusted =
      folder !== null &&
      (await unlessStorageFails(
        () => parts.isTrusted(folder),
        () => false,
      ))
    return isTrusted ? folder : null
  }
  return {
    importPreview: async ({ folder }) => parts.importPreview(await trusted(folder)),
    async import({ folder, ids, secrets }) {
      const done = await parts.importServers(await trusted(folder), ids, secrets)
      if (!done.ok) return { ok: false, trouble: done.failure }
      servers.reread()
      return DONE
    },
  }
}

function signInHandlers(servers: McpServers): Pick<Handlers, 'signIn' | 'cancelSignIn' | 'signOut'> {
  return {
    async signIn({ folder, name }) {
      try {
        await servers.signIn(folder, name)
        return DONE
      } catch (error) {
        return { ok: false, trouble: notSignedIn(name, error) }
      }
    },
    cancelSignIn({ folder, name }) {
      servers.cancelSignIn(folder, name)
      return Promise.resolve(DONE)
    },
    async signOut({ folder, name }) {
      try {
        await servers.signOut(folder, name)
        return DONE
      } catch (error) {
        return { ok: false, trouble: notSignedIn(name, error) }
      }
    },
  }
}

/** An MCP server may write its own secrets to its log. */
function redacted({ servers, ...rest }: McpState, { text }: Pick<Redactor, 'text'>): McpState {
  const failure = (words: string | null): string | null => words && text(words)
  return {
    ...rest,
    servers: servers.map((server) => ({ ...server, failure: failure(server.failure), log: server.log.map((line) => text(line)) })),
  }
}

function notKept(name: string, variable: string, error: unknown): Trouble {
  return {
    code: 'mcp_secret',
    what: `The secret ${variable} of the MCP server ${name} was not changed: ${error instanceof Error ? error.message : String(error)}`,
    kept: 'If a secret was stored before, it is still stored.',
    todo: 'Fix the problem, then try again.',
  }
}

function notSignedIn(name: string, error: unknown): Trouble {
  return {
    code: 'mcp_sign_in',
    what: `The sign-in to the MCP server ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
    kept: 'If you were signed in before, your earlier sign-in is still stored.',
    todo: 'Check the address of the server, then sign in again. The log of the server may say more.',
  }
}

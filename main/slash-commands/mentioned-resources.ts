import type { McpServers } from '../mcp/servers.ts'

/** Maximum time that a message waits for a resource, in ms. */
const TIMEOUT_MS = 20_000
/** Maximum number of resources that are attached to one message. */
const MAX_RESOURCES = 8
const MAX_CHARS = 400_000

export type ResourceServers = Pick<McpServers, 'state' | 'resource'>

/**
 * The text to add to a message that mentions MCP resources as `@server:uri`: the content of each resource that is not yet attached to the
 * message. If a resource cannot be read, the text gives the reason. Empty if no resources are mentioned.
 */
export async function mentionedResources(folder: string, text: string, mcp: ResourceServers): Promise<string> {
  const known = new Set(mcp.state().servers.flatMap((server) => (server.folder === folder ? [server.name] : [])))
  const mentions = [...text.matchAll(/(?<=^|[\s("'])@([^\s@:]+):([a-z][\w+.-]*:\S*[\w/])/giu)].flatMap(([, server = '', uri = '']) =>
    known.has(server) && !text.includes(headOf(server, uri)) ? [{ server, uri }] : [],
  )
  const wanted = [...new Map(mentions.map((one) => [headOf(one.server, one.uri), one])).values()].slice(0, MAX_RESOURCES)
  const texts = await Promise.all(wanted.map((one) => textOf(folder, one, mcp)))
  return texts.map((one) => `\n\n${one}`).join('')
}

const headOf = (server: string, uri: string): string => `Resource ${uri} of the MCP server ${server}`

async function textOf(
  folder: string,
  { server, uri }: { readonly server: string; readonly uri: string },
  mcp: ResourceServers,
): Promise<string> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`The server did not answer within ${TIMEOUT_MS / 1000} s.`)), TIMEOUT_MS)
  try {
    const text = await Promise.race([mcp.resource(folder, server, uri), late.promise])
    const shown = text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}\n[${text.length - MAX_CHARS} more characters]`
    return `<resource>\n${headOf(server, uri)}:\n\n${shown.replaceAll(/<\/(?=\s*resource\b)/giu, '<\\/')}\n</resource>`
  } catch (error) {
    return `[${headOf(server, uri)} could not be read: ${error instanceof Error ? error.message : String(error)}]`
  } finally {
    clearTimeout(timer)
  }
}

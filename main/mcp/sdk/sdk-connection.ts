import { pathToFileURL } from 'node:url'
import { Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import type { Connect, ConnectionEvents, ConnectTarget, ListedPrompt, ListedResource, ListedTool, McpConnection } from '../connection.ts'
import { callsOf, contentOf, ELICITATION, namedFailure } from './sdk-calls.ts'
import { fetchWithoutNullMeta } from './null-meta.ts'
import { programTransport } from './program-transport.ts'
import { repairResults } from './repair-results.ts'
import { keptSignIn } from '../oauth-sign-in.ts'
import { abortable } from '../../agent/abortable.ts'

/** Time limit in ms for a server to start and report its capabilities. `npx` may have to download the server first. */
const CONNECT_MS = 60_000
const LIST_MS = 30_000
/** Maximum number of tools of one server, more than any model can use. */
const MAX_TOOLS = 500
const MAX_PROMPTS = 500
const MAX_RESOURCES = 2_000

/**
 * Time limit in ms for a server program to say which protocol revision it speaks. A program that does not answer is assumed to speak the
 * old revision.
 */
const PROBE_MS = 10_000

/**
 * Connects with `@modelcontextprotocol/client`, in the protocol revision that the server speaks. Asks the server for its revision before
 * anything else. Old servers may exit or fail at this question. In that case, the app connects again without asking.
 */
export const connectWithSdk: Connect = async (target, events, signal) => {
  try {
    return await connected(target, events, signal, 'auto')
  } catch (error) {
    const failedAtProbe = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
    if (!failedAtProbe || signal.aborted) throw error
    return connected(target, events, signal, 'legacy')
  }
}

async function connected(
  target: ConnectTarget,
  events: ConnectionEvents,
  signal: AbortSignal,
  mode: 'auto' | 'legacy',
): Promise<McpConnection> {
  const client = new Client(
    { name: 'countersign', version: '1' },
    {
      capabilities: { elicitation: ELICITATION, roots: {} },
      versionNegotiation: { mode, probe: target.kind === 'program' ? { timeoutMs: PROBE_MS } : {} },
      listChanged: {
        tools: { autoRefresh: false, onChanged: () => events.onChanged() },
        prompts: { autoRefresh: false, onChanged: () => events.onChanged() },
        resources: { autoRefresh: false, onChanged: () => events.onChanged() },
      },
    },
  )
  client.setRequestHandler('roots/list', () => ({ roots: target.folder === null ? [] : [{ uri: pathToFileURL(target.folder).href }] }))
  client.setNotificationHandler('notifications/message', ({ params: { level, data } }) =>
    events.onLog(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
  )
  const transport = await transportTo(target, events)
  repairResults(transport, events.onLog)
  let isOpen = false
  let isClosing = false
  client.onclose = () => {
    if (isOpen && !isClosing) events.onClose()
  }
  client.onerror = (error) => events.onLog(error.message)
  try {
    // The library's first request ignores the signal.
    await abortable(client.connect(transport, { signal, timeout: CONNECT_MS }), signal)
  } catch (error) {
    await client.close().catch(() => {})
    // During the first request, the client does not know its transport, so its own close does not end the program.
    await transport.close().catch(() => {})
    return rethrow(error)
  }
  isOpen = true
  return {
    async listTools() {
      if (!client.getServerCapabilities()?.tools) return []
      const { tools } = await client.listTools(undefined, { timeout: LIST_MS, maxTotalTimeout: LIST_MS })
      return tools.slice(0, MAX_TOOLS).map(({ name, description, inputSchema }): ListedTool => ({
        name,
        description: description ?? '',
        schema: inputSchema as ListedTool['schema'],
      }))
    },
    call: callsOf(client, events.onLog),
    ...offersOf(client),
    async close() {
      isClosing = true
      await client.close()
    },
  }
}

type Offers = Pick<McpConnection, 'listPrompts' | 'prompt' | 'listResources' | 'resource'>

/** What a server offers to the user besides its tools. */
function offersOf(client: Client): Offers {
  return {
    async listPrompts() {
      if (!client.getServerCapabilities()?.prompts) return []
      const { prompts } = await client.listPrompts(undefined, { timeout: LIST_MS, maxTotalTimeout: LIST_MS })
      return prompts.slice(0, MAX_PROMPTS).map(({ name, description, arguments: all = [] }): ListedPrompt => ({
        name,
        description: description ?? '',
        arguments: all.map((one) => ({ name: one.name, isRequired: one.required === true })),
      }))
    },
    async prompt(name, args, stop) {
      const asked = client.getPrompt({ name, arguments: { ...args } }, { signal: stop, timeout: LIST_MS, maxTotalTimeout: LIST_MS })
      const { messages } = await asked.catch(rethrow)
      const texts = messages.map(({ role, content }) => {
        const shown = contentOf(content)
        const text = shown.kind === 'text' ? shown.text : `[${shown.mediaType}]`
        return role === 'assistant' ? `(As if you had said:) ${text}` : text
      })
      return texts.join('\n\n')
    },
    async listResources() {
      if (!client.getServerCapabilities()?.resources) return []
      const { resources } = await client.listResources(undefined, { timeout: LIST_MS, maxTotalTimeout: LIST_MS })
      return resources
        .slice(0, MAX_RESOURCES)
        .map(({ uri, name, title, description }): ListedResource => ({ uri, name: title ?? name, description: description ?? '' }))
    },
    async resource(uri, stop) {
      const asked = client.readResource({ uri }, { signal: stop, timeout: LIST_MS, maxTotalTimeout: LIST_MS })
      const { contents } = await asked.catch(rethrow)
      return contents.map((one) => ('text' in one ? one.text : `[${one.mimeType ?? 'data'}: ${one.uri}]`)).join('\n\n')
    },
  }
}

function rethrow(error: unknown): never {
  throw namedFailure(error)
}

async function transportTo(target: ConnectTarget, { onLog }: ConnectionEvents): Promise<Transport> {
  if (target.kind === 'address') {
    const { url, headers } = target.entry
    const isSignedIn = (await target.credentials.read()) !== null
    const authProvider = isSignedIn ? { authProvider: keptSignIn(target.credentials) } : {}
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: fetchWithoutNullMeta,
      redirectPolicy: 'same-origin',
      ...authProvider,
    })
  }
  return programTransport(() => target.launch.open(), onLog)
}

import { createHash } from 'node:crypto'
import { quotedLine } from '../../shared/tools/foreign-arguments/command-from-words.ts'
import type { ExecutedFile } from '../../shared/session/effects.ts'
import type { FileView } from '../agent/ports/tool.ts'
import { createTrustedContents } from '../changes/trusted-contents.ts'
import { executedFiles, filesNamedBy } from '../approval/executed-files.ts'
import { createPathFacts } from '../approval/path-facts.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { isFar } from '../../shared/places/address.ts'
import { isInside } from '../is-inside.ts'
import { disposable } from '../../shared/lib/disposable.ts'
import type { CommandCopies, Confined } from '../agent/ports/command-copies.ts'
import type { RequestWithRetries } from '../agent/ports/model.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import type { News } from '../subagents/turn-start-news.ts'
import { readRegularFile } from '../environment/files/read-regular-file.ts'
import { commandEnvironment } from '../environment/env-policy.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'
import { launchVariables } from '../environment/shell-variables/complete-from-shell.ts'
import { isSecretVariable } from '../environment/secret-variables.ts'
import type { ConnectTarget, Credentials, Launch, ServerSecrets } from '../mcp/connection.ts'
import { withGivenServers } from '../mcp/given-servers.ts'
import { expandEntry, type ServerDraft, type ServerEntry, variableOf } from '../mcp/server-entries.ts'
import type { ServerTool } from '../mcp/folder-server.ts'
import type { LayerServers } from '../mcp/servers-in-layer.ts'
import { createMcpServers, type McpServers, type ServersParts } from '../mcp/servers.ts'
import { SEARCHED_ABOVE, tokensOf } from '../mcp/tool-tokens.ts'
import { createSearchToolsTool } from '../tools/built-in/search-tools.ts'
import { mcpChoices, mcpFiles } from '../settings/mcp-files.ts'
import type { TrustedThere } from '../rules/project-rules.ts'
import type { Store } from '../store/store.ts'
import type { ToolChanges } from './tool-sets.ts'
import type { Workspace } from '../workspace/workspaces.ts'

export interface McpParts {
  readonly dataFolder: string
  readonly store: Pick<Store, 'folders' | 'blobs'>
  /** The folder that is trusted only for this run. Null if there is none. */
  readonly trusted: string | null
  /** The folder on another machine that is trusted only for this run. */
  trustedThere(): TrustedThere | null
  /** The variables that look like secrets and may nevertheless be passed on in a folder. */
  allowVariables(folder: string): readonly string[]
  /** Servers that another program passes on for this run. */
  givenServers(): readonly ServerDraft[]
  /** Opens the folder in which a server's program starts. Rejects with the reason if it cannot be opened. */
  openFolder(folder: string): Promise<ServerFolder>
  readonly isSandboxRequired: boolean
  /** Returns the stored credentials for signing in to a server. `name` is chosen by Countersign. */
  credentials(name: string): Credentials
  /** Returns the secrets of a server. `name` is chosen by Countersign. */
  secrets(name: string): ServerSecrets
  readonly keptIn: ServersParts['keptIn']
  readonly onKeptIn: ServersParts['onKeptIn']
}

/** The folder in which a server's program starts. */
export interface ServerFolder {
  /** The real path at its place. */
  readonly folder: string
  readonly environment: ExecutionEnvironment
  /** Null if commands only run for real. */
  readonly copies: CommandCopies | null
  /** Whether it is on another machine. */
  readonly isFar: boolean
  /** Ends the programs of `environment`. Does nothing on another machine, where the server shares the environment with sessions. */
  endPrograms(): Promise<void>
  close(): Promise<void>
}

/** The MCP servers of this app. The code that communicates with them is loaded when Countersign first connects to one. */
export function createAppMcpServers(parts: McpParts): McpServers {
  const choices = mcpChoices(parts.dataFolder)
  return createMcpServers({
    connect: async (...args) => (await import('../mcp/sdk/sdk-connection.ts')).connectWithSdk(...args),
    ...choices,
    ...withGivenServers({ ...choices, read: mcpFiles({ ...parts, ...choices }) }, parts.givenServers),
    contents: createTrustedContents(parts.store.blobs),
    readScript: readRegularFile,
    signIn: async (...args) => (await import('../mcp/oauth-sign-in.ts')).startSignIn(...args),
    target: (server) => targetOf(parts, server),
    secrets: (name) => parts.secrets(`mcp-secrets:${createHash('sha256').update(name).digest('hex')}`),
    keptIn: parts.keptIn,
    onKeptIn: parts.onKeptIn,
    hasVariable(folder, name) {
      const { person, passed } = variablesIn(parts, folder)
      const variable = variableOf(name)
      const value = person[variable]
      return variable in passed || (value !== undefined && !isSecretVariable(variable, value))
    },
  })
}

type WantedServer = Parameters<ServersParts['target']>[0]

/**
 * The user's variables, and the variables that the servers of a folder may get. Variables of this computer are not sent to other machines.
 */
function variablesIn(parts: Pick<McpParts, 'allowVariables'>, folder: string) {
  if (isFar(folder)) return { person: {}, passed: {} }
  const policy = { policy: 'inherit_core', allow: () => parts.allowVariables(folder) } as const
  const person = launchEnvironment()
  return { person, passed: commandEnvironment(person, policy) }
}

async function targetOf(
  parts: McpParts,
  { name: server, folder, key, entry: written, isFree, secrets, layer, check }: WantedServer,
): Promise<ConnectTarget> {
  await launchVariables()
  const { person, passed } = variablesIn(parts, folder)
  const entry = expandEntry(written, (name) => {
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined
    if (secret !== undefined) return secret
    const variable = variableOf(name)
    const value = passed[variable] ?? person[variable]
    if (value === undefined && variable !== name)
      throw new Error(`The server needs a value for ${name}. Set the value in Settings > MCP servers, or in the variable ${variable}.`)
    if (value !== undefined && !(variable in passed) && isSecretVariable(variable, value))
      throw new Error(
        `The variable ${variable} looks like a secret. Store a value for this server in Settings > MCP servers. Or allow the variable for this project in Settings > Limits > “Variables for commands”, and restart the server.`,
      )
    return value
  })
  if (entry.type !== 'stdio') {
    // The name depends on the address, so that a server with the same name at another address does not get these credentials.
    const name = createHash('sha256')
      .update(JSON.stringify([key, entry.url]))
      .digest('hex')
    return { kind: 'address', folder: null, entry, credentials: parts.credentials(`mcp:${name}`) }
  }
  const program: ServerProgram = { server, argv: [entry.command, ...entry.args], envVars: entry.env }
  const opened = await parts.openFolder(folder)
  try {
    const files = await scriptsOf(entry, opened)
    if (layer?.kind === 'inside') {
      await check(files, true)
      await opened.close()
      return { kind: 'program', folder: opened.folder, launch: launchInside(layer.environment, program) }
    }
    const copies = isFree ? null : await presentCopies(layer ? layer.copies : opened.copies)
    if (layer && copies === null) throw new Error('The server was not started in the layer, because programs cannot be confined here.')
    if (opened.isFar && copies === null) throw new Error(FAR_UNCONFINED)
    await check(files, copies !== null)
    return { kind: 'program', folder: opened.folder, launch: await launchOf(parts, program, opened, copies) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

const FAR_UNCONFINED =
  'The server was not started. On another machine, MCP servers must be confined to the folder. Install bubblewrap on that machine: sudo apt-get install bubblewrap socat'

/** The files of the folder that the entry names or that its program executes there. */
async function scriptsOf(
  { command, args }: Pick<Extract<ServerEntry, { type: 'stdio' }>, 'command' | 'args'>,
  { folder, environment: env }: Pick<ServerFolder, 'folder' | 'environment'>,
): Promise<readonly ExecutedFile[]> {
  const disk = { env, place: createPathFacts({ env, root: folder, home: null }) }
  const files: FileView = { read: (path, options) => env.readBytes(path, options) }
  const line = { command: quotedLine([command, ...args]), cwd: folder }
  const found = [
    ...(await executedFiles(line, { root: folder, home: null }, disk, files)),
    ...(await filesNamedBy([command, ...args], folder, disk, files)),
  ]
  const distinct = new Map(found.map((file) => [file.path, file]))
  return [...distinct.values()].filter(({ path }) => isInside(folder, path))
}

/** Null if the programs of this folder cannot be confined. */
async function presentCopies(copies: CommandCopies | null): Promise<CommandCopies | null> {
  return (await copies?.support())?.kind === 'present' ? copies : null
}

interface ServerProgram {
  readonly server: string
  readonly argv: readonly [string, ...string[]]
  readonly envVars: Readonly<Record<string, string>>
}

const NO_CONTROL_FILES: Pick<Launch, 'setAside' | 'suspect'> = {
  setAside: () => Promise.resolve([]),
  suspect: () => disposable(() => {}),
}

/** The layer confines the program, and nothing that it writes reaches the folder before it is signed. */
function launchInside(environment: ExecutionEnvironment, { argv, envVars }: ServerProgram): Launch {
  return { ...NO_CONTROL_FILES, open: () => environment.open(argv, { envVars }), isConfined: true, close: () => Promise.resolve() }
}

async function launchOf(
  parts: McpParts,
  { server, argv, envVars }: ServerProgram,
  { environment, endPrograms, close }: ServerFolder,
  copies: CommandCopies | null,
): Promise<Launch> {
  if (copies === null) {
    if (parts.isSandboxRequired) throw new Error('The server was not started, because no program may run for real with --sandbox require.')
    return { ...NO_CONTROL_FILES, open: () => environment.open(argv, { envVars }), isConfined: false, close }
  }
  const confinement: Confined = await copies.confine({ owner: { sessionId: null, what: `the MCP server ${server}` } })
  return {
    open: () => environment.open(argv, { envVars, confinement }),
    isConfined: true,
    setAside: (since) => confinement.setAside(since),
    suspect: (since) => confinement.suspect(since),
    close: async () => {
      await endPrograms()
      await confinement.close()
      await close()
    },
  }
}

/** The MCP servers of the folder. Those of a layer run in the layer, so that they see what the session sees. */
export function mcpServersIn({ address: folder, isLayer, inside, copies, environment }: Workspace, mcp: McpServers): LayerServers {
  if (isLayer && inside) return mcp.inLayer(folder, { kind: 'inside', environment })
  if (isLayer && copies) return mcp.inLayer(folder, { kind: 'copies', copies })
  return { tools: () => mcp.tools(folder), close: () => Promise.resolve() }
}

/**
 * The changes to a folder's tools: those of an embedding program, and the tools of MCP servers. If there are too many MCP tools, the model
 * has to search them. Returns the same object as long as nothing changes.
 */
export function withMcpTools(listed: () => readonly ServerTool[], own: (() => ToolChanges) | undefined): () => ToolChanges {
  let made: { readonly changes: ToolChanges; readonly tools: readonly ServerTool[]; readonly of: ToolChanges | undefined } | null = null
  return () => {
    const tools = listed()
    const of = own?.()
    if (made?.tools === tools && made.of === of) return made.changes
    const isSearched = tokensOf(tools) > SEARCHED_ABOVE
    const offered = isSearched ? [createSearchToolsTool(tools)] : tools.map(({ tool }) => tool)
    const changes = {
      added: [...offered, ...(of?.added ?? [])],
      removed: of?.removed ?? new Set<string>(),
      ...(isSearched && { deferred: tools.map(({ tool }) => tool) }),
    }
    made = { changes, tools, of }
    return changes
  }
}

/**
 * Adds to `news`, once, the MCP tools that the session had at its last message but no longer has. After a restart nothing is added, because
 * the session then starts with the available tools.
 */
export function withLostTools(news: News, servers: McpServers, folder: string): News {
  let had: ReadonlyMap<string, string> = new Map()
  return async (record) => {
    const has = new Map(servers.tools(folder).map(({ server, tool }) => [tool.definition.name, server]))
    const lost = Map.groupBy(
      [...had].filter(([name]) => !has.has(name)),
      ([, server]) => server,
    )
    had = has
    const reported = await news(record)
    return [
      ...reported,
      ...[...lost].map(([server, tools]) => lostWords(server, tools, { servers, folder, cursor: record.state().cursor })),
    ]
  }
}

function lostWords(
  server: string,
  tools: readonly (readonly [string, string])[],
  { servers, folder, cursor }: { readonly servers: McpServers; readonly folder: string; readonly cursor: number },
): DurableEvent {
  const state = servers.state().servers.find((one) => one.folder === folder && one.name === server)
  const why = state?.hasChanged
    ? 'The server changed its tools, and the user has not approved the new ones yet.'
    : 'The user switched them off or removed the server.'
  const text = `You can no longer call these tools of the MCP server ${server}: ${tools.map(([name]) => name).join(', ')}. ${why}`
  return { kind: 'STEERING_INJECTED', inputId: `mcp:${server}:${cursor}`, text, by: 'loop' }
}

/** Starts the folder's waiting MCP servers when the first event of the first answer arrives, even if that event is a failure. */
export function withServersAfter(
  request: RequestWithRetries,
  servers: Pick<McpServers, 'postpone' | 'start'>,
  folder: string,
): RequestWithRetries {
  let isFirst = true
  return (...asked) => {
    if (!isFirst) return request(...asked)
    isFirst = false
    servers.postpone(folder)
    return heardFirst(request(...asked), () => servers.start(folder))
  }
}

async function* heardFirst<T>(events: AsyncIterable<T>, heard: () => void): AsyncGenerator<T> {
  let isFirst = true
  for await (const event of events) {
    if (isFirst) heard()
    isFirst = false
    yield event
  }
}

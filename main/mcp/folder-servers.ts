import { createHash } from 'node:crypto'
import type { ChangedScript, ScriptHashes } from '../../shared/api/changed-scripts.ts'
import type { McpServerState, McpState, McpVariable } from '../../shared/api/mcp.ts'
import type { Tool } from '../agent/ports/tool.ts'
import { type ServerDraft, type ServerEntry, variablesOf } from './server-entries.ts'
import type { ConnectTarget, ListedTool, ServerQuestion, ServerSecrets } from './connection.ts'
import { askPerson } from './elicitation.ts'
import { hashOfTools, type McpServer, type ServerOffers } from './server.ts'
import type { ServerSignIn } from './server-sign-in.ts'
import { SEARCHED_ABOVE, tokensOf } from './tool-tokens.ts'
import { createMcpTool, fitsInRequest, type OfferedTool, toolNames } from './mcp-tool.ts'

/** Time limit for one call in ms, unless the server's entry sets another. The time starts again with each progress report. */
export const CALL_MS = 60_000

/** The user's decisions about a server. */
export interface ServerChoice {
  /** Hash of the entry for which the tools were approved. */
  readonly entry: string
  /** The approved tools; null if none have been approved yet. */
  readonly tools: readonly ListedTool[] | null
  /** Names of tools that are switched off. */
  readonly off: readonly string[]
  readonly isFree: boolean
  /**
   * For each folder, the files of the folder that the entry names, as they were when the server was trusted to run them with the user's
   * rights. If absent, it has not run with these rights.
   */
  readonly scripts?: Readonly<Record<string, ScriptHashes>>
}

/** What a server's displayed state depends on, besides the server itself. */
export interface StateParts extends Choices {
  /** Whether the user's environment has a value for this variable that can be passed on to a server. */
  hasVariable(folder: string, name: string): boolean
  readonly keptIn: () => McpState['keptIn']
}

/** Reads the user's decision for a key that `keyOf` returned. */
export interface Choices {
  choice(key: string): ServerChoice | null
}

/** The key of a server in the user's decisions. A server of the user's own file has the same key in all folders. */
export const keyOf = (origin: Known['origin'], folder: string, name: string): string =>
  JSON.stringify([origin === 'you' ? null : folder, name])

/** A tool of one server, as the model calls it. */
export interface ServerTool {
  readonly server: string
  readonly tool: Tool
}

/** A server of an open folder. */
export interface Known extends ServerDraft {
  readonly folder: string
  readonly origin: 'you' | 'project'
  readonly key: string
  readonly hash: string
  readonly server: McpServer
  readonly signing: ServerSignIn
  readonly secrets: ServerSecrets
  /** Names of the variables that had a stored value when the server was last started. */
  storedNames: ReadonlySet<string>
  /** The files that prevented the last start, because they changed since the user trusted them. */
  changed: readonly ChangedScript[]
  /** The files of the folder that the server names, at the last start. Null before it, and if the server is not a program. */
  scripts: ScriptHashes | null
  target(): Promise<ConnectTarget>
}

export interface OpenFolder {
  servers: readonly Known[]
  problems: readonly string[]
  /** Null if the list must be built again. */
  tools: readonly ServerTool[] | null
}

export function statesOf(parts: StateParts, folders: readonly OpenFolder[]): McpState {
  return {
    servers: folders.flatMap((folder) => {
      const { servers } = folder
      const names = toolNames(servers.flatMap(listedBy))
      const tools = toolsIn(parts, folder)
      const isSearched = tokensOf(tools) > SEARCHED_ABOVE
      return servers.map((known) => {
        const tokens = tokensOf(tools.filter(({ server }) => server === known.name))
        return { ...stateOf(known, choiceFor(parts, known), names), variables: variableStates(known, parts), tokens, isSearched }
      })
    }),
    keptIn: parts.keptIn(),
    problems: [...new Set(folders.flatMap(({ problems }) => problems))],
  }
}

export const toolsIn = (parts: Choices, folder: OpenFolder): readonly ServerTool[] => (folder.tools ??= toolsOf(parts, folder.servers))

/** The prompts or resources of the servers that run. */
export function offersOf<T>(folder: OpenFolder | undefined, read: (offers: ServerOffers, server: string) => readonly T[]): readonly T[] {
  return (folder?.servers ?? []).flatMap(({ name, server }) => {
    const status = server.status()
    return status.kind === 'running' ? read(status, name) : []
  })
}

export const hashOfEntry = (entry: ServerEntry): string => createHash('sha256').update(JSON.stringify(entry)).digest('hex')

/**
 * Returns the user's decision for exactly this entry. If the decision was made for a different entry with the same name, only `off` is
 * kept.
 */
export function choiceFor({ choice }: Choices, { key, hash }: Known): ServerChoice {
  const kept = choice(key)
  if (kept?.entry === hash) return kept
  return { entry: hash, tools: null, off: kept?.off ?? [], isFree: false }
}

/**
 * Returns the approved tools to offer to the model: none if the running server now has different tools. If the server is not running, all
 * approved tools are offered.
 */
function approvedTools(known: Known, { tools }: ServerChoice): readonly ListedTool[] {
  const status = known.server.status()
  if (tools === null) return []
  return status.kind === 'running' && status.hash !== hashOfTools(tools) ? [] : tools
}

function listedBy({ name, server }: Known): readonly OfferedTool[] {
  const status = server.status()
  return status.kind === 'running' ? status.tools.map((tool) => ({ server: name, tool })) : []
}

function toolsOf(parts: Choices, servers: readonly Known[]): readonly ServerTool[] {
  const all = servers.flatMap((known) => {
    const choice = choiceFor(parts, known)
    return approvedTools(known, choice).map((tool) => ({ known, isOn: !choice.off.includes(tool.name), server: known.name, tool }))
  })
  const names = toolNames(all)
  return all
    .filter(({ isOn, tool }) => isOn && fitsInRequest(tool))
    .map((offered) => {
      const { known, tool } = offered
      const called = createMcpTool(offered, names.get(offered) ?? '', async (args, options) => {
        await known.server.ready(options.signal)
        if (!approvedTools(known, choiceFor(parts, known)).some(({ name }) => name === tool.name))
          throw new Error(
            `The tools of the MCP server ${known.name} have changed, and the user has not approved them yet. Nothing was called.`,
          )
        const ask = (asked: ServerQuestion) => askPerson(known.name, asked, options.ask)
        return known.server.call(tool.name, args, { ...options, ask, timeoutMs: known.entry.timeout ?? CALL_MS })
      })
      return { server: known.name, tool: called }
    })
}

function stateOf(
  known: Known,
  choice: ServerChoice,
  names: ReadonlyMap<OfferedTool, string>,
): Omit<McpServerState, 'tokens' | 'isSearched' | 'variables'> {
  const { folder, name, origin, entry, server } = known
  const status = server.status()
  const listed = status.kind === 'running' ? status.tools : (choice.tools ?? [])
  const isApproved = status.kind === 'running' && choice.tools !== null && hashOfTools(choice.tools) === status.hash
  const calledAs = (tool: ListedTool): string =>
    [...names].find(([one]) => one.server === name && one.tool === tool)?.[1] ??
    toolNames([{ server: name, tool }])
      .values()
      .next().value ??
    ''
  return {
    folder,
    name,
    origin,
    isConfined: server.isConfined(),
    isFree: choice.isFree,
    changed: known.changed,
    scripts: known.scripts,
    target: entry.type === 'stdio' ? [entry.command, ...entry.args].join(' ') : entry.url,
    status: status.kind,
    failure: status.kind === 'failed' ? status.why : null,
    signIn: known.signing.state(status.kind === 'failed' && status.needsSignIn),
    tools: listed.map((tool) => ({
      name: tool.name,
      calledAs: calledAs(tool),
      description: tool.description.slice(0, 300),
      isOn: !choice.off.includes(tool.name),
    })),
    toApprove: status.kind === 'running' && !isApproved && status.tools.length > 0 ? status.hash : null,
    hasChanged: choice.tools !== null && status.kind === 'running' && !isApproved,
    log: [...server.log()],
  }
}

function variableStates({ entry, folder, storedNames }: Known, { hasVariable }: StateParts): readonly McpVariable[] {
  return variablesOf(entry).map(({ name, hasDefault }) => {
    if (storedNames.has(name)) return { name, from: 'stored' }
    if (hasVariable(folder, name)) return { name, from: 'environment' }
    return { name, from: hasDefault ? 'default' : 'missing' }
  })
}

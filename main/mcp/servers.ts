import { createHash } from 'node:crypto'
import type { McpServerState, McpState } from '../../shared/api/mcp.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { Tool } from '../agent/ports/tool.ts'
import type { ReadServers, ServerDraft, ServerEntry } from './configuration.ts'
import type { Connect, ConnectTarget, ListedPrompt, ListedResource, ListedTool, ServerQuestion, StartSignIn } from './connection.ts'
import { askPerson } from './elicitation.ts'
import { createServer, hashOfTools, type McpServer, type ServerOffers } from './server.ts'
import { createSigningIn, type SigningIn } from './signing-in.ts'
import { SEARCHED_ABOVE, tokensOf } from './tool-tokens.ts'
import { createMcpTool, fitsInRequest, type OfferedTool, toolNames } from './tools.ts'

/** Time for one call in ms, unless the server's entry says otherwise; begins again with each progress report. */
const CALL_MS = 60_000

/** What the person decided about a server. */
export interface ServerChoice {
  /** Hash of the entry that the tools were approved for. */
  readonly entry: string
  /** The approved tools; null: none were approved yet. */
  readonly tools: readonly ListedTool[] | null
  /** Names of tools that are switched off. */
  readonly off: readonly string[]
  readonly isFree: boolean
}

export interface ServersParts {
  readonly connect: Connect
  /** The servers of the person's own file, and of the folder's if the person trusts it. */
  read(folder: string): { readonly you: ReadServers; readonly project: ReadServers }
  /** `key`: of the server, for its credentials. */
  target(server: {
    readonly folder: string
    readonly key: string
    readonly entry: ServerEntry
    readonly isFree: boolean
  }): Promise<ConnectTarget>
  readonly signIn: StartSignIn
  choice(key: string): ServerChoice | null
  choose(key: string, choice: ServerChoice): void
}

/** The MCP servers of all open folders. A folder's servers run from its first session until the app ends. */
export interface McpServers {
  /** Starts the servers of a folder, without waiting for them. Reads the files again. */
  open(folder: string): void
  /** The tools that are approved and switched on; the same array while nothing changes. Never waits. */
  tools(folder: string): readonly ServerTool[]
  state(): McpState
  /** The prompts of the folder's servers that run. Never waits. */
  prompts(folder: string): readonly ServerPrompt[]
  /** Likewise their resources. */
  resources(folder: string): readonly ServerResource[]
  /** The text of a resource. Rejects with an `Error` that says why there is none. */
  resource(folder: string, server: string, uri: string): Promise<string>
  /** The text of a prompt. Rejects with an `Error` that says why there is none. */
  prompt(folder: string, prompt: ServerPrompt, args: Readonly<Record<string, string>>): Promise<string>
  /** False: the tools are no longer those of `hash`. */
  approve(folder: string, name: string, hash: string): boolean
  restart(folder: string, name: string): Promise<void>
  /** Begins to sign in; the state then holds the address to open. Rejects with an `Error` that says why not. */
  signIn(folder: string, name: string): Promise<void>
  cancelSignIn(folder: string, name: string): void
  /** Removes the credentials, and starts the server again without them. */
  signOut(folder: string, name: string): Promise<void>
  switchTool(folder: string, name: string, tool: string, isOn: boolean): void
  setFree(folder: string, name: string, isFree: boolean): Promise<void>
  onChange(listener: () => void): Disposable
  close(): Promise<void>
}

/** A tool of one server, as the model calls it. */
export interface ServerTool {
  readonly server: string
  readonly tool: Tool
}

/** A prompt of one server. */
export interface ServerPrompt {
  readonly server: string
  readonly prompt: ListedPrompt
}

interface ServerResource extends ListedResource {
  readonly server: string
}

interface Known extends ServerDraft {
  readonly folder: string
  readonly origin: 'you' | 'project'
  readonly key: string
  readonly hash: string
  readonly server: McpServer
  readonly signing: SigningIn
  target(): Promise<ConnectTarget>
}

interface OpenFolder {
  servers: readonly Known[]
  problems: readonly string[]
  /** Null: to be made again. */
  tools: readonly ServerTool[] | null
}

export function createMcpServers(parts: ServersParts): McpServers {
  const folders = new Map<string, OpenFolder>()
  const changed = new Emitter<void>()
  const change = (): void => {
    for (const folder of folders.values()) folder.tools = null
    changed.fire()
  }
  const make = (folder: string, origin: Known['origin'], { name, entry }: ServerDraft): Known => {
    const key = JSON.stringify([origin === 'you' ? null : folder, name])
    const target = async (): Promise<ConnectTarget> => {
      const found = await parts.target({ folder, key, entry, isFree: parts.choice(key)?.isFree === true })
      return found.kind === 'address' ? { ...found, credentials: signing.watched(found.credentials) } : found
    }
    const server = createServer({ name, connect: parts.connect, target, onChange: change })
    const signing = createSigningIn({
      start: parts.signIn,
      onChange: change,
      onSignedIn: () => void server.restart(),
      onFailed: (why) => server.note(`The sign-in failed: ${why}`),
    })
    return { name, entry, folder, origin, key, hash: hashOfEntry(entry), server, signing, target }
  }
  const find = (folder: string, name: string): Known | null => folders.get(folder)?.servers.find((one) => one.name === name) ?? null
  const choose = (known: Known, part: Partial<ServerChoice>): void => {
    parts.choose(known.key, { ...choiceFor(parts, known), entry: known.hash, ...part })
    change()
  }
  return {
    open(folder) {
      const { you, project } = parts.read(folder)
      const before = folders.get(folder)?.servers ?? []
      const same = (origin: Known['origin']) => (draft: ServerDraft) =>
        before.find((one) => one.origin === origin && one.name === draft.name && one.hash === hashOfEntry(draft.entry)) ??
        make(folder, origin, draft)
      const isReplaced = ({ name }: ServerDraft): boolean => project.servers.some((one) => one.name === name)
      const servers = [...project.servers.map(same('project')), ...you.servers.filter((draft) => !isReplaced(draft)).map(same('you'))]
      folders.set(folder, { servers, problems: [...project.problems, ...you.problems], tools: null })
      for (const one of before) if (!servers.includes(one)) void one.server.close()
      for (const one of servers) if (!before.includes(one)) one.server.start()
      change()
    },
    tools(folder) {
      const open = folders.get(folder)
      if (!open) return []
      return toolsIn(parts, open)
    },
    state: () => statesOf(parts, [...folders.values()]),
    ...offers((folder) => folders.get(folder), find),
    approve(folder, name, hash) {
      const known = find(folder, name)
      const status = known?.server.status()
      if (!known || status?.kind !== 'running' || status.hash !== hash) return false
      choose(known, { tools: status.tools })
      return true
    },
    async restart(folder, name) {
      await find(folder, name)?.server.restart()
    },
    ...signIns(find, change),
    switchTool(folder, name, tool, isOn) {
      const known = find(folder, name)
      if (!known) return
      const off = choiceFor(parts, known).off.filter((one) => one !== tool)
      choose(known, { off: isOn ? off : [...off, tool] })
    },
    async setFree(folder, name, isFree) {
      const known = find(folder, name)
      if (!known) return
      choose(known, { isFree })
      await known.server.restart()
    },
    onChange: changed.event,
    async close() {
      const all = [...folders.values()].flatMap(({ servers }) => servers)
      for (const { signing } of all) signing.cancel()
      await Promise.all(all.map(({ server }) => server.close()))
    },
  }
}

type Find = (folder: string, name: string) => Known | null

/** The person's sign-ins at servers. */
function signIns(find: Find, change: () => void): Pick<McpServers, 'signIn' | 'cancelSignIn' | 'signOut'> {
  return {
    async signIn(folder, name) {
      const known = find(folder, name)
      const target = await known?.target()
      if (known && target?.kind === 'address') await known.signing.begin(target.entry.url, target.credentials)
    },
    cancelSignIn(folder, name) {
      find(folder, name)?.signing.cancel()
      change()
    },
    async signOut(folder, name) {
      const known = find(folder, name)
      const target = await known?.target()
      if (!known || target?.kind !== 'address') return
      known.signing.cancel()
      await target.credentials.write(null)
      await known.server.restart()
    },
  }
}

/** What the servers offer to the person besides their tools. */
function offers(
  opened: (folder: string) => OpenFolder | undefined,
  find: Find,
): Pick<McpServers, 'prompts' | 'resources' | 'prompt' | 'resource'> {
  const asked = (folder: string, name: string, ask: (server: McpServer, signal: AbortSignal) => Promise<string>): Promise<string> => {
    const known = find(folder, name)
    if (!known) throw new Error(`There is no MCP server ${name}.`)
    return ask(known.server, AbortSignal.timeout(known.entry.timeout ?? CALL_MS))
  }
  return {
    prompts: (folder) => offersOf(opened(folder), ({ prompts }, server) => prompts.map((prompt) => ({ server, prompt }))),
    resources: (folder) => offersOf(opened(folder), ({ resources }, server) => resources.map((one) => ({ server, ...one }))),
    prompt: async (folder, { server, prompt }, args) => asked(folder, server, (known, signal) => known.prompt(prompt.name, args, signal)),
    resource: async (folder, server, uri) => asked(folder, server, (known, signal) => known.resource(uri, signal)),
  }
}

function statesOf(parts: ServersParts, folders: readonly OpenFolder[]): McpState {
  return {
    servers: folders.flatMap((folder) => {
      const { servers } = folder
      const names = toolNames(servers.flatMap(listedBy))
      const tools = toolsIn(parts, folder)
      const isSearched = tokensOf(tools) > SEARCHED_ABOVE
      return servers.map((known) => {
        const tokens = tokensOf(tools.filter(({ server }) => server === known.name))
        return { ...stateOf(known, choiceFor(parts, known), names), tokens, isSearched }
      })
    }),
    problems: [...new Set(folders.flatMap(({ problems }) => problems))],
  }
}

const toolsIn = (parts: ServersParts, folder: OpenFolder): readonly ServerTool[] => (folder.tools ??= toolsOf(parts, folder.servers))

/** What the servers that run offer. */
function offersOf<T>(folder: OpenFolder | undefined, read: (offers: ServerOffers, server: string) => readonly T[]): readonly T[] {
  return (folder?.servers ?? []).flatMap(({ name, server }) => {
    const status = server.status()
    return status.kind === 'running' ? read(status, name) : []
  })
}

const hashOfEntry = (entry: ServerEntry): string => createHash('sha256').update(JSON.stringify(entry)).digest('hex')

/** What was decided about another entry of the same name does not count, except which tools are off. */
function choiceFor({ choice }: Pick<ServersParts, 'choice'>, { key, hash }: Known): ServerChoice {
  const kept = choice(key)
  if (kept?.entry === hash) return kept
  return { entry: hash, tools: null, off: kept?.off ?? [], isFree: false }
}

/** The tools to offer: those approved, unless the server now has others. A server that is not up yet has those approved last. */
function approvedTools(known: Known, { tools }: ServerChoice): readonly ListedTool[] {
  const status = known.server.status()
  if (tools === null) return []
  return status.kind === 'running' && status.hash !== hashOfTools(tools) ? [] : tools
}

function listedBy({ name, server }: Known): readonly OfferedTool[] {
  const status = server.status()
  return status.kind === 'running' ? status.tools.map((tool) => ({ server: name, tool })) : []
}

function toolsOf(parts: ServersParts, servers: readonly Known[]): readonly ServerTool[] {
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
): Omit<McpServerState, 'tokens' | 'isSearched'> {
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
    ...{ folder, name, origin, isConfined: server.isConfined(), isFree: choice.isFree },
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

import type { ScriptHashes } from '../../shared/api/changed-scripts.ts'
import type { McpState } from '../../shared/api/mcp.ts'
import type { ExecutedFile } from '../../shared/session/effects.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { ReadScript, TrustedContents } from '../approval/changed-scripts.ts'
import { checkScripts } from './check-scripts.ts'
import { type ReadServers, type ServerDraft, type ServerEntry, variablesOf } from './server-entries.ts'
import type { Connect, ConnectTarget, ServerSecrets, StartSignIn } from './connection.ts'
import type { FolderServer, OpenFolder, ServerLayer, ServerTool } from './folder-server.ts'
import { toolsIn } from './folder-tools.ts'
import { createServer } from './server.ts'
import { choiceFor, hashOfEntry, keyOf, type ServerChoice, type ServerOrigin } from './server-choices.ts'
import { folderOffers, type FolderOffers } from './folder-offers.ts'
import { createLayerServers, type LayerServers } from './servers-in-layer.ts'
import { createServerSignIn } from './server-sign-in.ts'
import { type StateParts, statesOf } from './server-states.ts'

export interface ServersParts extends StateParts {
  readonly connect: Connect
  /**
   * The servers in the user's own file, and those of the folder's servers that may start. `named` is the server that the user has just
   * chosen by name.
   */
  read(folder: string, named: string | null): { readonly you: ReadServers; readonly project: ReadServers }
  /** `key` identifies the server's credentials. */
  target(server: {
    readonly name: string
    readonly folder: string
    readonly key: string
    readonly entry: ServerEntry
    readonly isFree: boolean
    readonly secrets: Readonly<Record<string, string>>
    /** The layer in which the program runs. Absent if it runs in the folder. */
    readonly layer?: ServerLayer
    /**
     * Call this before the server starts, with the files of the folder that its entry names. Rejects if it would run with the user's rights
     * and they changed.
     */
    readonly check: (scripts: readonly ExecutedFile[], isConfined: boolean) => Promise<void>
  }): Promise<ConnectTarget>
  /** The secrets that are stored under this name. */
  secrets(name: string): ServerSecrets
  readonly signIn: StartSignIn
  choose(key: string, choice: ServerChoice): void
  /** Calls the listener when `keptIn` may have changed. */
  readonly onKeptIn: (listener: () => void) => Disposable
  readonly contents: TrustedContents
  readonly readScript: ReadScript
  /**
   * Checks whether other processes have changed decisions or the user's own servers since the last call. Null if they have not. `before`
   * contains the decisions before these changes.
   */
  look(): { readonly before: ReadonlyMap<string, ServerChoice>; readonly hasOtherServers: boolean } | null
}

/** The MCP servers of all open folders. A folder's servers run from its first session until the app ends. */
export interface McpServers extends FolderOffers {
  /** Reads the files of a folder again and starts its servers, without waiting for them. */
  open(folder: string, options?: OpenOptions): void
  /** Starts the servers of a folder opened with `isLater`. */
  start(folder: string): void
  /** Call this when a request is sent. Servers that have not started by then wait for `start`, but for `ANSWER_MS` at most. */
  postpone(folder: string): void
  /** Reads the files of all open folders again, and starts the servers that are new in them. */
  reread(): void
  /** Resolves when none of the folder's servers that match `fits` is still starting. Rejects with the signal's reason. */
  settled(folder: string, fits: (server: string) => boolean, signal: AbortSignal): Promise<void>
  /** The tools that are approved and switched on. Returns the same array while nothing changes. Never waits. */
  tools(folder: string): readonly ServerTool[]
  /** The tools of the folder's servers for a session that works in a layer over the folder. */
  inLayer(folder: string, layer: ServerLayer): LayerServers
  state(): McpState
  /** The complete description of a tool and the schema of its arguments, as the model gets them. Null if there is no such tool now. */
  describe(folder: string, name: string, tool: string): string | null
  /** Returns false if the tools no longer have this hash. */
  approve(folder: string, name: string, hash: string): boolean
  restart(folder: string, name: string): Promise<void>
  /**
   * Begins a sign-in. The state then contains the address to open. If the sign-in cannot begin, rejects with an `Error` whose message gives
   * the reason.
   */
  signIn(folder: string, name: string): Promise<void>
  cancelSignIn(folder: string, name: string): void
  /** Removes the credentials, and starts the server again without them. */
  signOut(folder: string, name: string): Promise<void>
  /** Null removes the value. Rejects if the value cannot be stored, with an `Error` whose message gives the reason. */
  setSecret(folder: string, name: string, variable: string, value: string | null): Promise<void>
  /**
   * Stores the values of a server's variables, keyed by the names that `variablesOf` returns, before the server is added to the user's own
   * file. If they cannot be stored, rejects with an `Error` whose message gives the reason.
   */
  keepSecrets(name: string, values: Readonly<Record<string, string>>): Promise<void>
  switchTool(folder: string, name: string, tool: string, isOn: boolean): void
  /**
   * Gives a server the user's rights or takes them, and restarts it. `scripts`: the files that it names, as they were shown to the user.
   * They are trusted with this content alone. Null trusts no change.
   */
  setFree(folder: string, name: string, wanted: { readonly isFree: boolean; readonly scripts: ScriptHashes | null }): Promise<void>
  onChange(listener: () => void): Disposable
  close(): Promise<void>
}

export interface OpenOptions {
  /** The server of this folder that the user has named explicitly. It starts even if the folder is trusted only for this run. */
  readonly named?: string
  /** Whether new servers wait for `start`, their first use or the end of a delay, so that none of them slows down the first request. */
  readonly isLater?: boolean
}

/**
 * Maximum time in ms before servers opened with `isLater` start: `LATER_MS` after `open`. If a request is sent before that, they start at
 * most `ANSWER_MS` after the request instead.
 */
const LATER_MS = 5_000
const ANSWER_MS = 15_000
/** Interval in ms at which changes made by other processes are read. */
const LOOK_EVERY_MS = 2_000

export function createMcpServers(parts: ServersParts): McpServers {
  const folders = new Map<string, OpenFolder>()
  const changed = new Emitter<void>()
  const change = (): void => {
    for (const folder of folders.values()) folder.tools = null
    changed.fire()
  }
  const find = (folder: string, name: string): FolderServer | null => folders.get(folder)?.servers.find((one) => one.name === name) ?? null
  const waiting = new Map<string, NodeJS.Timeout>()
  const start = (folder: string): void => {
    clearTimeout(waiting.get(folder))
    waiting.delete(folder)
    // Failed servers are left out, because `start` would start them again.
    for (const { server } of folders.get(folder)?.servers ?? []) if (server.status().kind === 'starting') server.start()
  }
  const startAfter = (folder: string, ms: number): void => {
    clearTimeout(waiting.get(folder))
    waiting.set(folder, setTimeout(() => start(folder), ms).unref())
  }
  const open = (folder: string, { named, isLater = false }: OpenOptions = {}): void => {
    const before = folders.get(folder)?.servers ?? []
    const next = opened(parts, { folder, before, ...parts.read(folder, named ?? null) }, change)
    folders.set(folder, next)
    for (const { signing, server } of before.filter((one) => !next.servers.includes(one))) {
      // Otherwise a sign-in that is completed later would start the server again.
      signing.cancel()
      void server.close()
    }
    change()
    if (!isLater) start(folder)
    else if (!waiting.has(folder)) startAfter(folder, LATER_MS)
  }
  const reread = (): void => [...folders.keys()].forEach((folder) => open(folder))
  const look = (): void => {
    const seen = parts.look()
    if (seen === null) return
    if (seen.hasOtherServers) reread()
    const before = { choice: (key: string) => seen.before.get(key) ?? null }
    for (const { servers } of folders.values())
      for (const known of servers) if (choiceFor(before, known).isFree !== choiceFor(parts, known).isFree) void known.server.restart()
    change()
  }
  /** Reads other processes' changes first. Otherwise a decision could be overwritten, or a server could be found that has been replaced. */
  const lookAndFind: Find = (folder, name) => {
    look()
    return find(folder, name)
  }
  const looking = setInterval(look, LOOK_EVERY_MS).unref()
  const listening = parts.onKeptIn(change)
  return {
    open,
    start,
    reread,
    postpone(folder) {
      if (waiting.has(folder)) startAfter(folder, ANSWER_MS)
    },
    settled: (folder, fits, signal) => settled(folders.get(folder)?.servers.filter(({ name }) => fits(name)) ?? [], signal),
    tools(folder) {
      look()
      const open = folders.get(folder)
      return open ? toolsIn(parts, open) : []
    },
    inLayer: (folder, layer) =>
      createLayerServers({
        choice: parts.choice,
        opened() {
          look()
          const open = folders.get(folder)
          return open ? { servers: open.servers, tools: toolsIn(parts, open) } : { servers: [], tools: NO_TOOLS }
        },
        make: ({ name, targetIn }) => createServer({ name, connect: parts.connect, target: () => targetIn(layer), onChange() {} }),
      }),
    state: () => statesOf(parts, [...folders.values()]),
    ...folderOffers((folder) => folders.get(folder)?.servers ?? []),
    describe: (folder, name, tool) => describedTool(find(folder, name), tool),
    ...decisions(parts, lookAndFind, change),
    async restart(folder, name) {
      await find(folder, name)?.server.restart()
    },
    ...signIns(find, change),
    onChange: changed.event,
    async close() {
      clearInterval(looking)
      listening.dispose()
      for (const timer of waiting.values()) clearTimeout(timer)
      const all = [...folders.values()].flatMap(({ servers }) => servers)
      for (const { signing } of all) signing.cancel()
      await Promise.all(all.map(({ server }) => server.close()))
    },
  }
}

const NO_TOOLS: readonly ServerTool[] = []

interface ReadFolder extends ReturnType<ServersParts['read']> {
  readonly folder: string
  readonly before: readonly FolderServer[]
}

/**
 * Returns the servers that a folder's files list. A server with an unchanged entry is kept. A server with a new or changed entry is
 * created, but not started yet. The project's entries override the user's.
 */
function opened(parts: ServersParts, { folder, before, you, project }: ReadFolder, change: () => void): OpenFolder {
  const same = (origin: ServerOrigin) => (draft: ServerDraft) =>
    before.find((one) => one.origin === origin && one.name === draft.name && one.hash === hashOfEntry(draft.entry)) ??
    madeServer(parts, { ...draft, folder, origin }, change)
  const isReplaced = ({ name }: ServerDraft): boolean => project.servers.some((one) => one.name === name)
  const servers = [...project.servers.map(same('project')), ...you.servers.filter((draft) => !isReplaced(draft)).map(same('you'))]
  return { servers, problems: [...project.problems, ...you.problems], tools: null }
}

function madeServer(
  parts: ServersParts,
  { folder, origin, name, entry }: Pick<FolderServer, 'folder' | 'origin' | 'name' | 'entry'>,
  change: () => void,
): FolderServer {
  const key = keyOf(origin, folder, name)
  const hash = hashOfEntry(entry)
  // A project's secrets are stored under a name that includes the entry's hash. Otherwise the project could change its entry to send the
  // secret somewhere else.
  const secrets = parts.secrets(origin === 'you' ? key : JSON.stringify([key, hash]))
  const targetIn = async (layer?: ServerLayer): Promise<ConnectTarget> => {
    const values = await secrets.read()
    known.storedNames = new Set(Object.keys(values))
    known.changed = []
    const { isFree } = choiceFor(parts, known)
    const found = await parts.target({
      name,
      folder,
      key,
      entry,
      isFree,
      secrets: values,
      ...(layer && { layer }),
      check: (scripts, isConfined) => checkScripts(parts, known, { scripts, isConfined }),
    })
    return found.kind === 'address' ? { ...found, credentials: signing.watched(found.credentials) } : found
  }
  const target = (): Promise<ConnectTarget> => targetIn()
  const server = createServer({ name, connect: parts.connect, target, onChange: change })
  const signing = createServerSignIn({
    start: parts.signIn,
    onChange: change,
    onSignedIn: () => void server.restart(),
    onFailed: (why) => server.note(`The sign-in failed: ${why}`),
  })
  const known: FolderServer = {
    name,
    entry,
    folder,
    origin,
    key,
    hash,
    server,
    signing,
    secrets,
    target,
    targetIn,
    storedNames: new Set(),
    changed: [],
    scripts: null,
  }
  return known
}

async function settled(servers: readonly FolderServer[], signal: AbortSignal): Promise<void> {
  // Only servers that are starting are awaited, because calling `ready` on a failed server would start it again.
  const starting = servers.filter(({ server }) => server.status().kind === 'starting')
  await Promise.all(starting.map(({ server }) => server.ready(signal).catch(() => signal.throwIfAborted())))
}

type Find = (folder: string, name: string) => FolderServer | null

function describedTool(known: FolderServer | null, tool: string): string | null {
  const status = known?.server.status()
  const found = status?.kind === 'running' ? status.tools.find(({ name }) => name === tool) : undefined
  return found ? `${found.description}\n\n${JSON.stringify(found.schema, null, 2)}` : null
}

/** The user's decisions about servers, and the servers' secrets. */
function decisions(
  parts: ServersParts,
  find: Find,
  change: () => void,
): Pick<McpServers, 'approve' | 'switchTool' | 'setFree' | 'setSecret' | 'keepSecrets'> {
  const choose = (known: FolderServer, part: Partial<ServerChoice>): void => {
    parts.choose(known.key, { ...choiceFor(parts, known), ...part })
    change()
  }
  return {
    approve(folder, name, hash) {
      const known = find(folder, name)
      const status = known?.server.status()
      if (!known || status?.kind !== 'running' || status.hash !== hash) return false
      choose(known, { tools: status.tools })
      return true
    },
    switchTool(folder, name, tool, isOn) {
      const known = find(folder, name)
      if (!known) return
      const off = choiceFor(parts, known).off.filter((one) => one !== tool)
      choose(known, { off: isOn ? off : [...off, tool] })
    },
    async setFree(folder, name, { isFree, scripts }) {
      const known = find(folder, name)
      if (!known) return
      const trusted = choiceFor(parts, known).scripts
      choose(known, scripts === null ? { isFree } : { isFree, scripts: { ...trusted, [known.folder]: scripts } })
      await known.server.restart()
    },
    setSecret: async (folder, name, variable, value) => setSecret(find(folder, name), variable, value),
    keepSecrets: (name, values) => parts.secrets(keyOf('you', '', name)).write(values),
  }
}

async function setSecret(known: FolderServer | null, variable: string, value: string | null): Promise<void> {
  if (!known || !variablesOf(known.entry).some(({ name }) => name === variable)) throw new Error(`The server does not use ${variable}.`)
  const { [variable]: _, ...others } = await known.secrets.read()
  await known.secrets.write(value === null ? others : { ...others, [variable]: value })
  await known.server.restart()
}

function signIns(find: Find, change: () => void): Pick<McpServers, 'signIn' | 'cancelSignIn' | 'signOut'> {
  return {
    async signIn(folder, name) {
      const known = find(folder, name)
      const target = await addressOf(known)
      if (!known || !target) throw new Error(`There is no MCP server ${name} with an address.`)
      await known.signing.begin(target.entry, target.credentials)
    },
    cancelSignIn(folder, name) {
      find(folder, name)?.signing.cancel()
      change()
    },
    async signOut(folder, name) {
      const known = find(folder, name)
      const target = await addressOf(known)
      if (!known || !target) return
      known.signing.cancel()
      await target.credentials.write(null)
      await known.server.restart()
    },
  }
}

/** Null if the server is a program. For a program, `target` is not called, because it would prepare the program's start. */
async function addressOf(known: FolderServer | null): Promise<Extract<ConnectTarget, { kind: 'address' }> | null> {
  const target = known && 'url' in known.entry ? await known.target() : null
  return target?.kind === 'address' ? target : null
}

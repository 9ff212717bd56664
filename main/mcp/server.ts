import { createHash } from 'node:crypto'
import type { JsonValue } from '../../shared/session/content.ts'
import { codeOf } from '../environment/environment-failure.ts'
import { type SetAside, setAsideWords } from '../../shared/session/file-change.ts'
import {
  type CallOptions,
  type CallResult,
  type Connect,
  type ConnectTarget,
  type Launch,
  type ListedPrompt,
  type ListedResource,
  type ListedTool,
  type McpConnection,
  SessionLost,
  SignInNeeded,
} from './connection.ts'
import { abortable } from '../agent/abortable.ts'

/** Maximum number of lines of a server's log that are kept, and of characters in each line. */
const LOG_LINES = 200
const LOG_CHARS = 500

export interface RunningStatus extends ServerOffers {
  readonly kind: 'running'
  readonly tools: readonly ListedTool[]
  /** Hash of the tools. */
  readonly hash: string
}

type ServerStatus =
  | { readonly kind: 'starting' }
  | RunningStatus
  | {
      readonly kind: 'failed'
      readonly why: string
      /** Whether the server failed only because the user has to sign in. */
      readonly needsSignIn: boolean
    }

/** What a server offers to the user besides its tools. */
interface ServerOffers {
  readonly prompts: readonly ListedPrompt[]
  readonly resources: readonly ListedResource[]
}

export interface ServerParts {
  readonly name: string
  readonly connect: Connect
  /** Expands variables and finds the program. Rejects with an `Error` that says which variable or program is missing. */
  target(): Promise<ConnectTarget>
  onChange(): void
}

/** One server of one folder. It starts in the background. If it has ended, the next call starts it again. */
export interface McpServer {
  status(): ServerStatus
  log(): readonly string[]
  note(line: string): void
  /** Null if the server is not a program, or has not started yet. */
  isConfined(): boolean | null
  start(): void
  restart(): Promise<void>
  /**
   * Waits until the server runs. If it does not run, rejects with an `Error` whose message gives the reason, or with the signal's reason.
   */
  ready(signal: AbortSignal): Promise<RunningStatus>
  call(tool: string, args: { readonly [key: string]: JsonValue }, options: CallOptions): Promise<CallResult>
  prompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>
  resource(uri: string, signal: AbortSignal): Promise<string>
  /** Ends the server, which never starts again. */
  close(): Promise<void>
}

interface Run {
  readonly stop: AbortController
  /** Resolves when the start has succeeded or failed. */
  readonly started: Promise<void>
  connection: McpConnection | null
  /** Null if the server is not a program, or has not started yet. */
  launch: Launch | null
}

/** Matches a line of a program's log that may contain the reason why the program exited. */
const SAYS_WHY = /error|cannot|can't|denied|not found|no such|fail/iu
const WAS_CONFINED =
  'The server ran confined to the folder, without network. If it needs more, give it full rights in Settings > MCP servers.'

export function createServer({ name, connect, target, onChange }: ServerParts): McpServer {
  let status: ServerStatus = { kind: 'starting' }
  let run: Run | null = null
  let isConfined: boolean | null = null
  let isClosed = false
  const { lines: log, note } = createLog()
  const set = (next: ServerStatus): void => {
    status = next
    onChange()
  }
  const list = async (of: Run): Promise<void> => {
    const running = await runningWith(of.connection)
    if (run === of) set(running)
  }
  const fail = (of: Run | null, error: unknown): void => {
    if (of === null || run !== of) return
    run = null
    const wrote = log.findLast((line) => SAYS_WHY.test(line) && line.trim() !== wordsOf(error))
    note(wordsOf(error))
    set({
      kind: 'failed',
      why: failureWords(error, wrote, isConfined === true && codeOf(error) !== 'ENOENT'),
      needsSignIn: error instanceof SignInNeeded,
    })
    void end(of)
  }
  const launch = async (begun: Run): Promise<void> => {
    const found = await target()
    if (found.kind === 'program') begun.launch = found.launch
    isConfined = begun.launch?.isConfined ?? null
    const onChanged = (): void => void list(begun).catch((error: unknown) => fail(begun, error))
    const onClose = (): void => fail(begun, 'The server ended the connection.')
    const dial = (): Promise<McpConnection> => connect(found, { onLog: note, onChanged, onClose }, begun.stop.signal)
    begun.connection = await notingControlFiles(begun.launch, note, dial)
    note('The server was started.')
    await list(begun)
  }
  const begin = (): Run => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun = (run = newRun(promise))
    set({ kind: 'starting' })
    void launch(begun)
      .catch((error: unknown) => fail(begun, error))
      .finally(resolve)
    return begun
  }
  const ready: McpServer['ready'] = async (signal) => {
    // A call may have waited for its signature while the server was removed from its file.
    if (isClosed) throw new Error(`The MCP server ${name} was removed or replaced. Nothing was called.`)
    const current = run ?? begin()
    await abortable(current.started, signal)
    if (status.kind === 'running') return status
    throw new Error(`The MCP server ${name} is not running${status.kind === 'failed' ? `: ${status.why}` : '.'}`)
  }
  const stop = async (): Promise<void> => {
    const ended = run
    run = null
    if (ended) await end(ended)
  }
  const askOnce = async <T>(ask: (connection: McpConnection) => Promise<T>): Promise<T> => {
    const of = run
    if (!of?.connection) throw new Error(`The MCP server ${name} has ended.`)
    return ask(of.connection).catch((error: unknown) => {
      if (error instanceof SignInNeeded) fail(of, error)
      throw error
    })
  }
  const asked = async <T>(signal: AbortSignal, ask: (connection: McpConnection) => Promise<T>): Promise<T> => {
    const { hash } = await ready(signal)
    const of = run
    try {
      return await askOnce(ask)
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error
      if (run === of) await stop()
      const again = await ready(signal)
      if (again.hash !== hash) throw new Error(`The MCP server ${name} has restarted with other tools. Nothing was called.`)
      return askOnce(ask)
    }
  }
  const start = (): void => void (isClosed || run || begin())
  return {
    status: () => status,
    log: () => log,
    note,
    isConfined: () => isConfined,
    start,
    restart: () => stop().then(start),
    ready,
    call: (tool, args, options) =>
      asked(options.signal, (connection) => withoutControlFiles(run?.launch ?? null, note, () => connection.call(tool, args, options))),
    prompt: (prompt, args, signal) => asked(signal, (connection) => connection.prompt(prompt, args, signal)),
    resource: (uri, signal) => asked(signal, (connection) => connection.resource(uri, signal)),
    close() {
      isClosed = true
      return stop()
    },
  }
}

/** The reason why a server failed, including what its program wrote about it. */
function failureWords(error: unknown, wrote: string | undefined, wasConfined: boolean): string {
  const words = [wordsOf(error), ...(wrote === undefined ? [] : [`It wrote: ${wrote.trim()}`]), ...(wasConfined ? [WAS_CONFINED] : [])]
  return words.map((text) => (/[.!?]$/u.test(text) ? text : `${text}.`)).join(' ')
}

/**
 * Runs a call. Afterwards, control files that the server may have created during the call are moved out of the folder. Other control files
 * stay, because they may be the user's.
 */
async function withoutControlFiles(
  launch: Launch | null,
  note: (line: string) => void,
  call: () => Promise<CallResult>,
): Promise<CallResult> {
  const began = Date.now()
  const suspicion = launch?.suspect(began)
  let moved: readonly SetAside[] = []
  try {
    const result = await call()
    moved = (await launch?.setAside(began)) ?? []
    return moved.length === 0 ? result : { ...result, content: [...result.content, { kind: 'text', text: setAsideWords(moved) }] }
  } catch (error) {
    moved = (await launch?.setAside(began).catch(() => [])) ?? []
    throw error
  } finally {
    suspicion?.dispose()
    noteMoved(moved, note)
  }
}

/** Starts a server. Afterwards, control files that the server may have created while starting are moved out of the folder. */
async function notingControlFiles<T>(launch: Launch | null, note: (line: string) => void, start: () => Promise<T>): Promise<T> {
  const began = Date.now()
  const suspicion = launch?.suspect(began)
  try {
    return await start()
  } finally {
    noteMoved((await launch?.setAside(began).catch(() => [])) ?? [], note)
    suspicion?.dispose()
  }
}

function noteMoved(moved: readonly SetAside[], note: (line: string) => void): void {
  for (const { path, keptAt, isRestored } of moved)
    note(
      isRestored
        ? `The control file ${path} was replaced while the server could change it. The earlier version was restored, and the new one was moved to ${keptAt}.`
        : `The server created the control file ${path}, which ${keptAt === null ? 'could not be moved out of the folder' : `was moved to ${keptAt}`}.`,
    )
}

const newRun = (started: Promise<void>): Run => ({
  stop: new AbortController(),
  started,
  connection: null,
  launch: null,
})

async function runningWith(connection: McpConnection | null): Promise<RunningStatus> {
  const offers = await offersOf(connection)
  return { kind: 'running', hash: hashOfTools(offers.tools), ...offers }
}

async function offersOf(connection: McpConnection | null): Promise<ServerOffers & { readonly tools: readonly ListedTool[] }> {
  if (!connection) return { tools: [], prompts: [], resources: [] }
  const tools = await connection.listTools()
  // A server whose prompts cannot be listed may still have tools.
  const [prompts, resources] = await Promise.all([connection.listPrompts().catch(() => []), connection.listResources().catch(() => [])])
  return { tools, prompts, resources }
}

async function end(ended: Run): Promise<void> {
  ended.stop.abort(new Error('The server was stopped.'))
  await ended.started
  await ended.connection?.close().catch(() => {})
  // The next launch of the app removes what is left.
  await ended.launch?.close().catch(() => {})
}

/** A log of bounded size. */
function createLog(): { readonly lines: readonly string[]; note(line: string): void } {
  const lines: string[] = []
  return {
    lines,
    note(line) {
      lines.push(line.trimEnd().slice(0, LOG_CHARS))
      if (lines.length > LOG_LINES) lines.splice(0, lines.length - LOG_LINES)
    },
  }
}

/** Returns the same hash for the same names, descriptions and schemas, regardless of the order in which the server lists them. */
export function hashOfTools(tools: readonly ListedTool[]): string {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, description, schema }) => [name, description, schema])
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

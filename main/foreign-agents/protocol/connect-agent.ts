import { Readable, Writable } from 'node:stream'
import {
  client,
  type ClientApp,
  type ClientContext,
  type ContentBlock,
  type InitializeResponse,
  ndJsonStream,
  type NewSessionResponse,
  type PermissionOption,
  RequestError,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { AgentActivity, AgentPrompt, AgentTurnEnd, ForeignAgent } from '../../agent/ports/foreign-agent.ts'
import type { OpenedProgram } from '../../agent/ports/opened-program.ts'
import { createAgentActivities } from './agent-activities.ts'

export interface AgentConnectionParts {
  /** The agent's program, which speaks the Agent Client Protocol. It ends with the connection. */
  readonly program: OpenedProgram
  readonly version: string
  /** The folder in which the agent works, as it sees it. */
  readonly cwd: string
  /** The agent's own session to open again. Null for a new one. */
  readonly resume: string | null
  /** The modes to choose, best first. The first one that the agent has is set. */
  readonly modes: readonly string[]
  /**
   * Called before a request for permission is answered, with the call's id. Resolves when earlier changes have been read. Returns whether
   * the call is allowed.
   */
  mayRun(callId: string): Promise<boolean>
  /** Called with each line that the agent writes to its log. */
  onLog(line: string): void
}

/** How long in ms an agent may take to start and to open a session. Some need a minute on a busy machine. */
const START_MS = 180_000
/** How long in ms a cancelled turn may take to end before the agent is ended. */
const CANCEL_MS = 15_000

type Started = Pick<ForeignAgent, 'sessionId' | 'title' | 'version'> & { readonly takesPictures: boolean }

/** Starts a session with an agent. A failure is a sentence. */
export async function connectAgent(parts: AgentConnectionParts): Promise<Result<ForeignAgent, string>> {
  const { program } = parts
  const log = createLog(program, parts.onLog)
  let activities = createAgentActivities(parts.cwd)
  /** Null between turns, and while the history of a loaded session is replayed. */
  let heard: ((activity: AgentActivity) => void) | null = null
  const tell = (all: readonly AgentActivity[]): void => all.forEach((activity) => heard?.(activity))
  let isCancelled = false
  let overdue: NodeJS.Timeout | undefined

  const app = answering(client({ name: 'countersign' }))
    .onNotification('session/update', ({ params }) => {
      if (heard) tell(activities.of(params.update))
    })
    .onRequest('session/request_permission', async ({ params }): Promise<RequestPermissionResponse> => {
      tell(activities.asked(params.toolCall))
      if (isCancelled) return CANCELLED
      const isAllowed = await parts.mayRun(params.toolCall.toolCallId)
      return isCancelled ? CANCELLED : answerOf(params.options, isAllowed)
    })
  const output: WritableStream<Uint8Array> = Writable.toWeb(program.stdin)
  const connection = app.connect(ndJsonStream(output, Readable.toWeb(program.stdout) as ReadableStream<Uint8Array>))
  void program.ended.then(() => connection.close())
  const close = async (): Promise<void> => {
    connection.close()
    await program.kill()
  }
  const started = await within(START_MS, start(connection.agent, parts)).catch((error: unknown) => failed(log.explained(error)))
  if (!started.ok) {
    await close()
    return started
  }
  const { takesPictures, ...named } = started.value
  const { sessionId } = named
  return ok({
    ...named,
    async prompt(message, onActivity) {
      activities = createAgentActivities(parts.cwd)
      heard = onActivity
      isCancelled = false
      const end = await connection.agent
        .request('session/prompt', { sessionId, prompt: contentOf(message, takesPictures) })
        .then(({ stopReason }): AgentTurnEnd => ({ kind: 'ended', why: stopReason }))
        .catch((error: unknown): AgentTurnEnd =>
          isCancelled ? { kind: 'ended', why: 'cancelled' } : { kind: 'failed', why: log.explained(error) },
        )
      clearTimeout(overdue)
      tell(activities.closeOpen())
      heard = null
      return end
    },
    cancel() {
      if (heard === null) return
      isCancelled = true
      clearTimeout(overdue)
      void connection.agent.notify('session/cancel', { sessionId }).catch(() => {})
      // An agent that does not stop would block the session.
      overdue = setTimeout(() => void close(), CANCEL_MS)
    },
    ended: program.ended.then(() => {}),
    close,
  })
}

function contentOf({ text, pictures }: AgentPrompt, takesPictures: boolean): ContentBlock[] {
  const left = pictures.length > 0 && !takesPictures ? '\n\n[Pictures were left out, because you take none.]' : ''
  const images = takesPictures ? pictures.map(({ data, mediaType }) => ({ type: 'image', data, mimeType: mediaType }) as const) : []
  return [{ type: 'text', text: text + left }, ...images]
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

/** Never “always”: what the agent remembers would be outside of our rules. */
function answerOf(options: readonly PermissionOption[], isAllowed: boolean): RequestPermissionResponse {
  const option = options.find(({ kind }) => kind === (isAllowed ? 'allow_once' : 'reject_once'))
  return option ? { outcome: { outcome: 'selected', optionId: option.optionId } } : CANCELLED
}

/** What agents request although it was not offered. Nothing is written for them, since their own files are those of the layer. */
function answering(app: ClientApp): ClientApp {
  return app
    .onRequest('fs/write_text_file', () => ({}))
    .onRequest('elicitation/create', () => ({ action: 'decline' }))
    .onRequest('*', ({ method }) => {
      throw RequestError.methodNotFound(method)
    })
    .onNotification('*', () => {})
}

async function start(agent: ClientContext, { version, cwd, resume, modes }: AgentConnectionParts): Promise<Result<Started, string>> {
  const { protocolVersion, agentCapabilities, agentInfo } = await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false, _meta: { terminal_output: true } },
    clientInfo: { name: 'countersign', title: 'Countersign', version },
  })
  if (protocolVersion !== 1) return failed(`The agent speaks version ${protocolVersion} of the protocol, and version 1 is needed.`)
  const named = {
    title: agentInfo?.title ?? agentInfo?.name ?? 'agent',
    version: agentInfo?.version ?? '',
    takesPictures: agentCapabilities?.promptCapabilities?.image === true,
  }
  const again = resume === null ? null : await opened(agent, resume, cwd, agentCapabilities ?? {})
  const session = again ?? (await agent.request('session/new', { cwd, mcpServers: [] }))
  await setMode(agent, session, modes)
  return ok({ ...named, sessionId: session.sessionId })
}

type Capabilities = NonNullable<InitializeResponse['agentCapabilities']>

/** The agent's earlier session. Null if the agent cannot open it, or has lost it. */
async function opened(
  agent: ClientContext,
  sessionId: string,
  cwd: string,
  { loadSession = false, sessionCapabilities }: Capabilities,
): Promise<NewSessionResponse | null> {
  const wanted = { sessionId, cwd, mcpServers: [] }
  try {
    if (sessionCapabilities?.resume) return { sessionId, ...(await agent.request('session/resume', wanted)) }
    return loadSession ? { sessionId, ...(await agent.request('session/load', wanted)) } : null
  } catch {
    return null
  }
}

/** The mode in which an agent starts is never trusted, not even after a session was opened again. */
async function setMode(
  agent: ClientContext,
  { sessionId, modes: state, configOptions }: NewSessionResponse,
  modes: readonly string[],
): Promise<void> {
  const modeId = modes.find((id) => state?.availableModes.some((mode) => mode.id === id))
  if (modeId !== undefined) {
    await agent.request('session/set_mode', { sessionId, modeId }).catch(() => {})
    return
  }
  const option = configOptions?.find(({ category }) => category === 'mode')
  if (option?.type !== 'select') return
  const values = option.options.flatMap((one) => ('options' in one ? one.options : [one])).map(({ value }) => value)
  const value = modes.find((id) => values.includes(id))
  if (value !== undefined) await agent.request('session/set_config_option', { sessionId, configId: option.id, value }).catch(() => {})
}

/** Number of lines of the agent's log that explain a failure. */
const LAST_LINES = 5

function createLog(program: OpenedProgram, onLog: (line: string) => void) {
  const last: string[] = []
  let rest = ''
  program.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(-10_000)
    for (const line of lines) {
      last.push(line)
      if (last.length > LAST_LINES) last.shift()
      onLog(line)
    }
  })
  return {
    explained(error: unknown): string {
      const why = error instanceof RequestError ? requestWords(error) : error instanceof Error ? error.message : String(error)
      const wrote = [...last, rest].map((line) => line.trim()).filter((line) => line !== '')
      return wrote.length === 0 ? why : `${why} It wrote: ${wrote.join(' ').slice(-600)}`
    },
  }
}

function requestWords({ message, data, code }: RequestError): string {
  if (code === AUTH_REQUIRED) return `It needs a sign-in: ${message}.`
  const details = typeof data === 'object' && data !== null && 'details' in data ? String(data.details) : ''
  return details === '' ? message : `${message}: ${details}`
}

const AUTH_REQUIRED = -32000

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`It did not answer for ${ms / 1000} s.`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

import { Readable, Writable } from 'node:stream'
import {
  client,
  type ClientApp,
  type ClientContext,
  type ContentBlock,
  type CreateElicitationResponse,
  type InitializeResponse,
  ndJsonStream,
  type NewSessionResponse,
  type PermissionOption,
  RequestError,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { AgentActivity, AgentFailure, AgentPrompt, AgentTurnEnd, ForeignAgent } from '../../agent/ports/foreign-agent.ts'
import type { OpenedProgram } from '../../agent/ports/opened-program.ts'
import type { AgentOffers } from '../../../shared/agents/agent-offers.ts'
import type { SignIn } from '../../../shared/agents/other-agents-api.ts'
import type { QuestionAnswer } from '../../../shared/workflow/question.ts'
import { within } from '../../agent/abortable.ts'
import { createAgentActivities } from './agent-activities.ts'
import { type RunningOffers, runningOffers } from './agent-offers.ts'
import { elicited } from './elicitation.ts'
import { refusedChoice, setChoices, type WantedChoices } from './set-choices.ts'
import { SignInNeeded, signInsOf, withSignIn } from './sign-in.ts'

export interface AgentConnectionParts extends WantedChoices {
  /** The agent's program, which speaks the Agent Client Protocol. Closing the connection ends it. */
  readonly program: OpenedProgram
  readonly version: string
  /** The program and its arguments, so that the user can run it outside the layer to sign in. */
  readonly invocation: readonly string[]
  /** The path of the folder in which the agent works, as the agent sees it. */
  readonly cwd: string
  /** The agent's id of the session to reopen. Null for a new session. */
  readonly resume: string | null
  /** Called at the start with the command lines that sign in to the agent's account, as the agent names them. */
  onSignIns(signIns: readonly SignIn[]): void
  /** Called with what the agent offers, at the start and when it changes. */
  onOffers(offers: AgentOffers): void
  /** Called with the id of a call for which the agent requests permission. When it resolves, the call is allowed. */
  beforeCall(callId: string): Promise<void>
}

/** Time limit in ms for an agent to start and to open a session. Some need a minute on a busy machine. */
const START_MS = 180_000
/** Time limit in ms for a cancelled turn to end. After that, the agent's program is killed. */
const CANCEL_MS = 15_000

/** Maximum time in ms to wait for the rest of the output and of the log of an agent that has ended. */
const LAST_WORDS_MS = 2_000

type Started = Pick<ForeignAgent, 'sessionId' | 'title' | 'version'> & {
  readonly takesPictures: boolean
  readonly offers: RunningOffers
}

/** Starts a session with an agent. */
export async function connectAgent(parts: AgentConnectionParts): Promise<Result<ForeignAgent, AgentFailure>> {
  const { program } = parts
  const log = lastLinesOf(program)
  let activities = createAgentActivities(parts.cwd)
  /** Null between turns, and while the agent replays the history of a reopened session. */
  let heard: ((activity: AgentActivity) => void) | null = null
  const tell = (all: readonly AgentActivity[]): void => all.forEach((activity) => heard?.(activity))
  let isCancelled = false
  /** Questions of the agent that wait for an answer. */
  const waiting = new Set<(answers: null) => void>()
  /** Null until the session is open. The agent may report its commands before that; `early` keeps these updates. */
  let offers: RunningOffers | null = null
  const early: SessionUpdate[] = []
  let overdue: NodeJS.Timeout | undefined

  const app = answering(client({ name: 'countersign' }))
    .onNotification('session/update', ({ params }) => {
      if (heard) tell(activities.of(params.update))
      if (offers === null) {
        if (params.update.sessionUpdate === 'available_commands_update') early.push(params.update)
      } else if (offers.hear(params.update)) parts.onOffers(offers.now())
    })
    .onRequest('session/request_permission', async ({ params }): Promise<RequestPermissionResponse> => {
      tell(activities.asked(params.toolCall))
      if (!isCancelled) await parts.beforeCall(params.toolCall.toolCallId)
      return isCancelled ? CANCELLED : allowedOnce(params.options)
    })
    .onRequest('elicitation/create', async ({ params }): Promise<CreateElicitationResponse> => {
      const found = elicited(params)
      if (found === null) return { action: 'decline' }
      if (heard === null || isCancelled) return { action: 'cancel' }
      const { promise, resolve } = Promise.withResolvers<readonly QuestionAnswer[] | null>()
      heard({ kind: 'question', asked: { questions: found.questions, answer: resolve } })
      waiting.add(resolve)
      const answers = await promise
      waiting.delete(resolve)
      return isCancelled ? { action: 'cancel' } : found.response(answers)
    })
  const output: WritableStream<Uint8Array> = Writable.toWeb(program.stdin)
  const connection = app.connect(ndJsonStream(output, Readable.toWeb(program.stdout) as ReadableStream<Uint8Array>))
  // The end of the output closes the connection, after everything that the agent reported. A program that the agent has left running may
  // keep the output open.
  void program.ended.then(() => within(connection.closed, LAST_WORDS_MS)).then(() => connection.close())
  let isClosed = false
  const close = async (): Promise<void> => {
    isClosed = true
    connection.close()
    await program.kill()
  }
  const onOpened = (opened: RunningOffers): void => {
    offers = opened
    for (const update of early) opened.hear(update)
  }
  const starting = startWithChoices(connection.agent, parts, onOpened)
  const started = await answerWithin(START_MS, starting).catch((error: unknown) => failed(failureOf(error, log)))
  if (!started.ok) {
    await close()
    return started
  }
  const { takesPictures, offers: opened, choose, ...named } = started.value
  const { sessionId } = named
  parts.onOffers(opened.now())
  return ok({
    ...named,
    async prompt(message, onActivity) {
      activities = createAgentActivities(parts.cwd)
      heard = onActivity
      isCancelled = false
      const end = await connection.agent
        .request('session/prompt', { sessionId, prompt: contentOf(message, takesPictures) })
        .then(({ stopReason }): AgentTurnEnd => ({ kind: 'ended', why: stopReason }))
        .catch(async (error: unknown): Promise<AgentTurnEnd> => {
          // A program's output may end before its process does, and before the last lines of its log arrive.
          const hasEnded = !isCancelled && !(error instanceof RequestError) && (await within(program.ended, LAST_WORDS_MS)) && !isClosed
          const why = hasEnded ? await endOf(program, log) : error
          return isCancelled ? { kind: 'ended', why: 'cancelled' } : { kind: 'failed', why: log.explained(why), hasEnded }
        })
      clearTimeout(overdue)
      tell(activities.closeOpen())
      heard = null
      return end
    },
    cancel() {
      if (heard === null) return
      isCancelled = true
      for (const decline of waiting) decline(null)
      clearTimeout(overdue)
      void connection.agent.notify('session/cancel', { sessionId }).catch(() => {})
      // An agent that does not stop would block the session.
      overdue = setTimeout(() => void close(), CANCEL_MS)
    },
    async choose(id, value) {
      const why = await choose(id, value)
      parts.onOffers(opened.now())
      return why === null ? null : refusedChoice(opened, id, value, why)
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

/** Never “always”: the agent would then no longer announce such calls before they run. */
function allowedOnce(options: readonly PermissionOption[]): RequestPermissionResponse {
  const option = options.find(({ kind }) => kind === 'allow_once')
  return option ? { outcome: { outcome: 'selected', optionId: option.optionId } } : CANCELLED
}

/** Answers requests that agents make although they were not offered. Writes nothing, because the agent itself can write in the layer. */
function answering(app: ClientApp): ClientApp {
  return app
    .onRequest('fs/write_text_file', () => ({}))
    .onRequest('*', ({ method }) => {
      throw RequestError.methodNotFound(method)
    })
    .onNotification('*', () => {})
}

/** `onOpened`: called when the session is open, before the choices are set. */
async function startWithChoices(agent: ClientContext, parts: AgentConnectionParts, onOpened: (offers: RunningOffers) => void) {
  const session = await start(agent, parts)
  if (!session.ok) return session
  const { offers } = session.value
  onOpened(offers)
  const choose = (id: string, value: string): Promise<string | null> => offers.choose(agent, id, value).then(() => null, errorWords)
  return ok({ ...session.value, choose, refused: await setChoices({ now: offers.now, choose }, parts) })
}

async function start(
  agent: ClientContext,
  { version, invocation, cwd, resume, onSignIns }: AgentConnectionParts,
): Promise<Result<Started, AgentFailure>> {
  const {
    protocolVersion,
    agentCapabilities,
    agentInfo,
    authMethods = [],
  } = await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      auth: { terminal: true },
      elicitation: { form: {}, url: {} },
      _meta: { terminal_output: true },
    },
    clientInfo: { name: 'countersign', title: 'Countersign', version },
  })
  if (protocolVersion !== 1) return failed({ why: `The agent speaks version ${protocolVersion} of the protocol, and version 1 is needed.` })
  onSignIns(signInsOf(authMethods, invocation))
  const named = {
    title: agentInfo?.title ?? agentInfo?.name ?? 'agent',
    version: agentInfo?.version ?? '',
    takesPictures: agentCapabilities?.promptCapabilities?.image === true,
  }
  const again = resume === null ? null : await opened(agent, resume, cwd, agentCapabilities ?? {})
  const session =
    again ??
    (await agent.request('session/new', { cwd, mcpServers: [] }).catch((error: unknown) => {
      throw withSignIn(error, authMethods, invocation)
    }))
  return ok({ ...named, offers: runningOffers(session), sessionId: session.sessionId })
}

type Capabilities = NonNullable<InitializeResponse['agentCapabilities']>

/** Reopens the agent's earlier session. Null if the agent cannot reopen sessions, or has lost this one. */
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

/** Number of lines of the agent's log that are quoted to explain a failure. */
const LAST_LINES = 5

function lastLinesOf(program: OpenedProgram) {
  let last: readonly string[] = []
  let rest = ''
  program.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(-10_000)
    last = [...last, ...lines].slice(-LAST_LINES)
  })
  return {
    /** Resolves when the agent's log has been read to its end. */
    ended: new Promise<void>((resolve) => program.stderr.once('close', resolve)),
    explained(error: unknown): string {
      const why = errorWords(error)
      const wrote = [...last, rest].map((line) => line.trim()).filter((line) => line !== '')
      return wrote.length === 0 ? why : `${why}${why.endsWith('.') ? '' : '.'} It wrote: ${wrote.join(' ').slice(-600)}`
    },
  }
}

const failureOf = (error: unknown, log: { explained(error: unknown): string }): AgentFailure =>
  error instanceof SignInNeeded ? { why: error.message, signIn: error.ways } : { why: log.explained(error) }

/** How a program has ended, once its log has been read. */
async function endOf(program: OpenedProgram, log: { readonly ended: Promise<void> }): Promise<Error> {
  await within(log.ended, LAST_WORDS_MS)
  const { exitCode, signal } = await program.ended
  return new Error(`its program ended ${signal === null ? `with exit code ${exitCode}` : `by the signal ${signal}`}.`)
}

function errorWords(error: unknown): string {
  if (!(error instanceof RequestError)) return error instanceof Error ? error.message : String(error)
  const { message, data } = error
  const details = typeof data === 'object' && data !== null && 'details' in data ? String(data.details) : ''
  return details === '' ? message : `${message}: ${details}`
}

async function answerWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`It did not answer for ${ms / 1000} s.`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

import {
  agent,
  type AgentApp,
  type InitializeRequest,
  type InitializeResponse,
  RequestError,
  ndJsonStream,
  type Stream,
} from '@agentclientprotocol/sdk'
import type { Result } from '../../../shared/lib/result.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { createEditorSessions, type EditorSessions, type EditorSessionsParts } from './editor-sessions.ts'
import type { AcpSession } from './acp-session.ts'
import { modeChange, optionChange } from './session-settings.ts'
import type { ClientAbilities } from './session-updates.ts'

export interface AcpServerParts extends EditorSessionsParts {
  readonly version: string
  readonly stream: Stream
  /** Aborting closes the connection. */
  readonly signal: AbortSignal
}

/** The messages of an editor on two streams of bytes, one JSON object per line. */
export const messageStream = (output: WritableStream<Uint8Array>, input: ReadableStream<Uint8Array>): Stream => ndJsonStream(output, input)

/** Serves an editor over the Agent Client Protocol, version 1. Resolves when the connection is closed and everything has ended. */
export async function serveAcp({ version, stream, signal, ...parts }: AcpServerParts): Promise<void> {
  const sessions = createEditorSessions(parts)
  const connection = protocolOf(sessions, version).connect(stream)
  const close = (): void => connection.close()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  await connection.closed
  await sessions.leave()
}

function protocolOf(sessions: EditorSessions, version: string): AgentApp {
  let abilities: ClientAbilities = { showsTerminals: false, showsNotices: false }
  /** Sends the slash commands after the answer, so that the editor knows their session. */
  const followed = (session: AcpSession): AcpSession => {
    setImmediate(() => session.follow())
    return session
  }
  const configure = async (sessionId: string, change: Result<Partial<SessionConfigured>, string>): Promise<AcpSession> => {
    if (!change.ok) throw RequestError.invalidParams(undefined, change.failure)
    const session = sessions.of(sessionId)
    await session.configure(change.value)
    return session
  }
  return agent({ name: 'countersign' })
    .onRequest('initialize', ({ params }) => {
      abilities = abilitiesIn(params)
      return initialized(version)
    })
    .onRequest('session/new', async ({ params, client }) => {
      const session = followed(await sessions.create(params, { client, abilities }))
      return { sessionId: session.sessionId, ...session.settings() }
    })
    .onRequest('session/load', async ({ params, client }) => {
      const session = await sessions.open(params.sessionId, params, { client, abilities })
      await session.replay()
      return followed(session).settings()
    })
    .onRequest('session/resume', async ({ params, client }) =>
      followed(await sessions.open(params.sessionId, params, { client, abilities })).settings(),
    )
    .onRequest('session/list', async ({ params }) => ({ sessions: await sessions.list(params.cwd ?? null) }))
    .onRequest('session/close', ({ params }) => sessions.close(params.sessionId))
    .onRequest('session/delete', ({ params }) => sessions.delete(params.sessionId))
    .onRequest('session/set_mode', async ({ params }) => void (await configure(params.sessionId, modeChange(params.modeId))))
    .onRequest('session/set_config_option', async ({ params }) => {
      const session = await configure(params.sessionId, optionChange(params.configId, params.value))
      return { configOptions: session.settings().configOptions }
    })
    .onRequest('session/prompt', async ({ params }) => ({ stopReason: await sessions.of(params.sessionId).prompt(params.prompt) }))
    .onNotification('session/cancel', ({ params }) => sessions.of(params.sessionId).cancel())
}

function abilitiesIn({ clientCapabilities }: InitializeRequest): ClientAbilities {
  return {
    showsTerminals: clientCapabilities?._meta?.['terminal_output'] === true,
    showsNotices: Boolean(clientCapabilities?.session?.notices),
  }
}

/** The protocol version is 1 even if the editor asks for a later one. */
function initialized(version: string): InitializeResponse {
  return {
    protocolVersion: 1,
    agentInfo: { name: 'countersign', title: 'Countersign', version },
    agentCapabilities: {
      loadSession: true,
      mcpCapabilities: { http: true },
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
    authMethods: [],
  }
}

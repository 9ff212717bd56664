import { type Client, type ContentBlock, SdkHttpError, UrlElicitationRequiredError } from '@modelcontextprotocol/client'
import type { JsonValue } from '../../../shared/session/content.ts'
import {
  type CallContent,
  type CallOptions,
  type CallResult,
  type McpConnection,
  type ServerAnswer,
  type ServerQuestion,
  SessionLost,
  SignInNeeded,
} from '../connection.ts'
import { wantsSignIn } from '../oauth-sign-in.ts'

/** The capabilities that both sides of a connection declare. The server can ask for forms and pages while a call runs. */
export const ELICITATION = { form: {}, url: {} }

/**
 * The longest time in ms that the protocol's library can wait. In effect, it disables the library's timeout. Countersign uses its own time
 * limit, which is paused while the user is asked.
 */
const FOREVER_MS = 2 ** 31 - 1

interface RunningCall {
  readonly ask: CallOptions['ask']
  readonly limit: TimeLimit
}

/**
 * Calls a server's tools. A question of the server goes to the session whose call began last, because the protocol does not say to which
 * call it belongs. If no call is running, the question is declined.
 */
export function callsOf(client: Client, onLog: (line: string) => void): McpConnection['call'] {
  const running: RunningCall[] = []
  const answerTo = async (asked: ServerQuestion): Promise<ServerAnswer> => {
    const call = running.at(-1)
    if (!call) {
      onLog('The server asked a question while none of its tools was running. The question was declined.')
      return { kind: 'declined' }
    }
    for (const { limit } of running) limit.pause()
    try {
      return await call.ask(asked)
    } finally {
      for (const { limit } of running) limit.resume()
    }
  }
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const asked: ServerQuestion =
      params.mode === 'url'
        ? { kind: 'page', message: params.message, address: params.url }
        : {
            kind: 'form',
            message: params.message,
            fields: params.requestedSchema.properties as Readonly<Record<string, JsonValue>>,
            required: params.requestedSchema.required ?? [],
          }
    const answer = await answerTo(asked)
    if (answer.kind !== 'given') return { action: answer.kind === 'declined' ? 'decline' : 'cancel' }
    return { action: 'accept', ...(asked.kind === 'form' && { content: { ...answer.content } }) }
  })
  return async (tool, args, { signal, timeoutMs, onProgress, ask }) => {
    const limit = timeLimit(timeoutMs)
    const call = { ask, limit }
    running.push(call)
    const once = (): Promise<CallResult> =>
      resultOf(client, tool, args, {
        signal: AbortSignal.any([signal, limit.signal]),
        onProgress(words) {
          limit.restart()
          onProgress(words)
        },
      })
    try {
      return await once().catch(async (error: unknown) => {
        if (!(error instanceof UrlElicitationRequiredError)) throw error
        // The user visits the pages first. Then the same call is made again.
        for (const { message, url } of error.elicitations) {
          const { kind } = await answerTo({ kind: 'page', message, address: url })
          if (kind !== 'given')
            throw new Error(
              `The server requires a page to be opened before this call. The request to open it was ${kind}. The server’s message: ${message}`,
            )
        }
        return once()
      })
    } catch (error) {
      throw namedFailure(error)
    } finally {
      running.splice(running.indexOf(call), 1)
      limit.end()
    }
  }
}

/** Returns `SignInNeeded` or `SessionLost` for a failure that the caller can handle, and any other failure unchanged. */
export function namedFailure(error: unknown): unknown {
  if (wantsSignIn(error)) return new SignInNeeded()
  if (!(error instanceof SdkHttpError)) return error
  // The protocol requires 404. Many servers answer with 400 and say it in words.
  return error.status === 404 || (error.status === 400 && /\bsession\b/iu.test(error.message)) ? new SessionLost() : error
}

async function resultOf(
  client: Client,
  tool: string,
  args: { readonly [key: string]: JsonValue },
  { signal, onProgress }: Pick<CallOptions, 'signal' | 'onProgress'>,
): Promise<CallResult> {
  const result = await client.callTool(
    { name: tool, arguments: { ...args } },
    {
      signal,
      timeout: FOREVER_MS,
      onprogress: ({ progress, total, message }) =>
        onProgress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
    },
  )
  return {
    content: result.content.map(contentOf),
    structured: (result.structuredContent ?? null) as JsonValue,
    isError: result.isError === true,
  }
}

interface TimeLimit {
  /** Aborts with an `Error` that states the server's time limit. */
  readonly signal: AbortSignal
  restart(): void
  /** Pauses the limit. The full time starts again after `resume` has been called as often as `pause`. */
  pause(): void
  resume(): void
  end(): void
}

function timeLimit(ms: number): TimeLimit {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let pauses = 0
  const restart = (): void => {
    clearTimeout(timer)
    if (pauses === 0) timer = setTimeout(() => controller.abort(new Error(`The server did not answer within ${ms / 1000} s.`)), ms)
  }
  restart()
  return {
    signal: controller.signal,
    restart,
    pause() {
      pauses++
      clearTimeout(timer)
    },
    resume() {
      pauses--
      restart()
    },
    end: () => clearTimeout(timer),
  }
}

/** Converts a block of a server's content. For content that a model cannot read, only the type is kept. */
export function contentOf(block: ContentBlock): CallContent {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text }
    case 'image':
      return { kind: 'image', mediaType: block.mimeType, data: block.data }
    case 'audio':
      return { kind: 'text', text: `[audio: ${block.mimeType}]` }
    case 'resource_link':
      return { kind: 'text', text: `[resource: ${block.uri}]` }
    case 'resource':
      return { kind: 'text', text: 'text' in block.resource ? block.resource.text : `[resource: ${block.resource.uri}]` }
  }
}

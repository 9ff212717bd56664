import { z } from 'zod'
import { serveAcp } from '../../../main/acp/server/serve-acp.ts'
import { createApp } from '../../../main/compose/app.ts'
import { temporaryDataFolder } from '../../../main/environment/temporary-folder.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import { startModelServer } from '../../../main/providers/rehearsal/model-server.ts'
import { VERSION } from '../../../main/version.ts'
import { FORMATS } from '../../support/wire-formats/formats.ts'
import { scripted, scriptedAnswer } from './scripted-model.ts'

const message = z.strictObject({
  method: z.string().min(1),
  params: z.json().default({}),
  /** Whether it is a notification, which has no answer. */
  notify: z.boolean().default(false),
})

const Permission = z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always', 'cancelled'])

export const acpExchangeArguments = z.strictObject({
  /** What an editor sends, in order. Each request is sent after the answer to the one before it. */
  messages: z.array(message).min(1),
  script: z.array(scriptedAnswer).default([]),
  /** The kind of option to choose for each request for permission, in order. Further requests get `reject_once`. */
  permissions: z.array(Permission).default([]),
  timeoutMs: z.number().int().min(1).max(3_600_000).default(120_000),
})
type AcpExchangeArguments = z.infer<typeof acpExchangeArguments>

type Message = Readonly<Record<string, unknown>>

export interface AcpExchange {
  /** The results or errors of the requests, in order. */
  readonly answers: readonly Message[]
  /** All other messages of the agent, in order. */
  readonly received: readonly Message[]
  /** How many requests the scripted model received. */
  readonly requests: number
}

/**
 * Plays an editor that connects to Countersign's agent with the Agent Client Protocol, in a folder and with a scripted model. In parameters,
 * `$cwd` stands for the folder and `$session` for the latest session.
 */
export async function acpExchange(cwd: string, args: AcpExchangeArguments, signal: AbortSignal): Promise<AcpExchange> {
  let requests = 0
  const server = await startModelServer(({ index }) => {
    requests = index + 1
    return scripted(args.script, index)
  }, FORMATS)
  const data = await temporaryDataFolder()
  const end = new AbortController()
  const stop = AbortSignal.any([end.signal, signal, AbortSignal.timeout(args.timeoutMs)])
  const toAgent = new TransformStream<Message>()
  const toEditor = new TransformStream<Message>()
  const serving = serveAcp({
    version: VERSION,
    stream: { writable: toEditor.writable, readable: toAgent.readable },
    here: cwd,
    signal: stop,
    openApp: async (trusted, { list }) => {
      const host = headlessHost()
      await host.secrets.set('anthropic', 'scripted-key-0000')
      return createApp({
        host,
        dataFolder: data.path,
        version: VERSION,
        openFolder: null,
        watched: false,
        takesQuestions: true,
        whenUnsaved: 'fail',
        trusted,
        givenServers: list,
      })
    },
    opened: () => {},
    configFor: (app) => app.models.defaults({ provider: 'anthropic', mode: 'ask', baseUrl: server.url }),
  })
  try {
    return { ...(await exchanged(toAgent.writable, toEditor.readable, { cwd, ...args }, stop)), requests }
  } finally {
    end.abort()
    await serving
    await server.close()
    await data.remove()
  }
}

async function exchanged(
  writable: WritableStream<Message>,
  readable: ReadableStream<Message>,
  { cwd, messages, permissions }: AcpExchangeArguments & { readonly cwd: string },
  signal: AbortSignal,
): Promise<Omit<AcpExchange, 'requests'>> {
  const writer = writable.getWriter()
  const received: Message[] = []
  const answers: Message[] = []
  const waiting = new Map<unknown, (answer: Message) => void>()
  let asked = 0
  let session = ''
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The exchange exceeded its time limit, or the driver was stopped.')), {
      once: true,
    })
  })
  ended.catch(() => {})
  const listen = async (): Promise<void> => {
    for await (const one of readable) {
      const { id, method } = one
      if (method === undefined) {
        waiting.get(id)?.(one)
        continue
      }
      received.push(one)
      if (id === undefined) continue
      const kind = permissions[asked++] ?? 'reject_once'
      await writer.write({ jsonrpc: '2.0', id, ...answerTo(one, kind) })
    }
  }
  void listen().catch(() => {})
  for (const [id, { method, params, notify }] of messages.entries()) {
    const filled = JSON.parse(
      JSON.stringify(params).replaceAll('$cwd', JSON.stringify(cwd).slice(1, -1)).replaceAll('$session', session),
    ) as unknown
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve))
    await writer.write({ jsonrpc: '2.0', ...(!notify && { id }), method, params: filled })
    if (notify) continue
    const { result, error } = await Promise.race([answer, ended])
    answers.push({ method, ...(error === undefined ? { result } : { error }) })
    session = sessionIn(result) ?? session
  }
  return { answers, received }
}

function sessionIn(result: unknown): string | null {
  const id: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'sessionId') : null
  return typeof id === 'string' ? id : null
}

/** The editor's answer to a request of the agent. It supports only requests for permission. */
function answerTo({ method, params }: Message, kind: z.infer<typeof Permission>): Message {
  if (method !== 'session/request_permission') return { error: { code: -32601, message: 'Not known' } }
  const { options } = params as { readonly options: readonly { readonly kind: string; readonly optionId: string }[] }
  const option = options.find((one) => one.kind === kind)
  return { result: { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } } }
}

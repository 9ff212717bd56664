import { assertNever } from '../lib/assert-never.ts'
import { type Disposable, DisposableStore, disposable } from '../lib/disposable.ts'
import type { CallContext, Contract, Endpoint, Handlers } from './contract.ts'
import { ClientFrame, type FailCode, MAX_FRAME_BYTES, type ServerFrame } from './frames.ts'
import { untilAborted } from './until-aborted.ts'
import { weighsMoreThan } from './connect.ts'
import type { Wire } from './wire.ts'

type Handler = (input: unknown, context: CallContext) => unknown

export interface ServeOptions {
  readonly connection: string
  /** Called for bugs in handlers. The client only gets `internal`, without details. */
  readonly onBug: (error: unknown, name: string) => void
}

/**
 * Answers the frames of one connection until it closes, then aborts calls that are still running. Input is validated before a handler
 * gets it. An error that a handler throws becomes a `fail` frame. A stream ends at once when it is cancelled or the connection closes.
 */
export function serve<C extends Contract>(wire: Wire, contract: C, handlers: Handlers<C>, options: ServeOptions): Disposable {
  const running = new Map<number, AbortController>()
  const owned = new DisposableStore()
  const send = (frame: ServerFrame): void => wire.send(frame)
  const fail = (id: number | null, code: FailCode, message: string): void => send({ kind: 'fail', id, code, message })

  const run = async (frame: Extract<ClientFrame, { kind: 'call' | 'listen' }>): Promise<void> => {
    const found = find(contract, handlers, frame.name)
    if (!found || (found.endpoint.kind === 'command') !== (frame.kind === 'call'))
      return fail(frame.id, 'unknown_name', `There is no ${frame.kind} "${frame.name}".`)
    if (running.has(frame.id)) return fail(frame.id, 'malformed', `Call ${frame.id} is already running.`)
    const input = found.endpoint.input.safeParse(frame.input)
    if (!input.success) return fail(frame.id, 'invalid_input', `${frame.name}: ${issues(input.error.issues)}`)
    const abort = new AbortController()
    running.set(frame.id, abort)
    try {
      await answer(found, frame.id, input.data, { connection: options.connection, signal: abort.signal }, wire)
    } catch (error) {
      if (abort.signal.aborted) return
      options.onBug(error, frame.name)
      fail(frame.id, 'internal', `${frame.name} failed unexpectedly; the process in which it ran has reported the details.`)
    } finally {
      running.delete(frame.id)
    }
  }

  const receive = (message: unknown): void => {
    if (weighsMoreThan(message, MAX_FRAME_BYTES)) return fail(idOf(message), 'too_large', 'The message is larger than 8 MB.')
    const frame = ClientFrame.safeParse(message)
    if (!frame.success) return fail(idOf(message), 'malformed', 'The message is not a frame of this protocol.')
    switch (frame.data.kind) {
      case 'call':
      case 'listen':
        void run(frame.data)
        return
      case 'cancel':
        running.get(frame.data.id)?.abort(new Error('cancelled by the caller'))
        return
      default:
        assertNever(frame.data, 'frame')
    }
  }

  const abortAll = (): void => {
    for (const abort of running.values()) abort.abort(new Error('connection closed'))
  }
  owned.add(wire.onMessage(receive))
  owned.add(wire.onClose(abortAll))
  owned.add(disposable(abortAll))
  return owned
}

interface Found {
  readonly endpoint: Endpoint
  readonly handler: Handler
}

/** Finds an endpoint. It uses only own properties, because `constructor` and `__proto__` are not endpoints. */
function find(contract: Contract, handlers: Handlers<Contract>, name: string): Found | null {
  const [domain = '', verb = '', ...rest] = name.split('.')
  if (rest.length > 0 || !Object.hasOwn(contract, domain)) return null
  const endpoints = contract[domain]
  const functions = handlers[domain]
  if (!endpoints || !functions || !Object.hasOwn(endpoints, verb)) return null
  const endpoint = endpoints[verb]
  const handler = functions[verb] as Handler | undefined
  return endpoint && handler ? { endpoint, handler } : null
}

async function answer(found: Found, id: number, input: unknown, context: CallContext, wire: Wire): Promise<void> {
  const send = (frame: ServerFrame): void => wire.send(frame)
  const result = found.handler(input, context)
  if (found.endpoint.kind === 'command') {
    const output = await result
    return send({ kind: 'ok', id, output })
  }
  for await (const item of untilAborted(result as AsyncIterable<unknown>, context.signal)) {
    send({ kind: 'item', id, item })
    await wire.ready?.()
  }
  if (!context.signal.aborted) send({ kind: 'end', id })
}

function issues(list: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return list.map((issue) => `${issue.path.map(String).join('.') || 'input'}: ${issue.message}`).join('; ')
}

function idOf(message: unknown): number | null {
  const id = typeof message === 'object' && message !== null ? (message as { id?: unknown }).id : null
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 ? id : null
}

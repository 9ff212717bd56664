import { assertNever } from '../lib/assert-never.ts'
import { AsyncQueue } from '../lib/async-queue.ts'
import type { Client, Contract } from './contract.ts'
import { type ClientFrame, MAX_FRAME_BYTES, type ServerFrame, WireError } from './frames.ts'
import type { Wire } from './wire.ts'

interface Waiting {
  readonly kind: 'call' | 'listen'
  next(value: unknown): void
  end(): void
  fail(error: WireError): void
}

/**
 * A client for a contract over a wire. Calls reject and streams throw only with `WireError`: for a closed wire, invalid input or a bug on
 * the other side. A stream is cancelled on the other side when its signal aborts or its loop ends.
 */
export function connect<C extends Contract>(wire: Wire, contract: C): Client<C> {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let closed: string | null = null

  wire.onMessage((message) => receive(waiting, message as ServerFrame))
  wire.onClose((reason) => {
    closed = reason
    for (const one of waiting.values()) one.fail(new WireError('closed', reason))
    waiting.clear()
  })

  const begin = (frame: Extract<ClientFrame, { kind: 'call' | 'listen' }>, one: Waiting): void => {
    waiting.set(frame.id, one)
    const refused = sendOrWhy(wire, frame)
    if (refused && waiting.delete(frame.id)) one.fail(refused)
  }

  const call = (name: string, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (closed !== null) return reject(new WireError('closed', closed))
      begin({ kind: 'call', id: ++lastId, name, input }, { kind: 'call', next: resolve, end: () => {}, fail: reject })
    })

  const listen = (name: string, input: unknown, signal: AbortSignal): AsyncIterable<unknown> => {
    const id = ++lastId
    const forget = (): void => signal.removeEventListener('abort', stop)
    const cancel = (): void => {
      forget()
      if (waiting.delete(id)) wire.send({ kind: 'cancel', id })
    }
    const queue = new AsyncQueue<unknown>(cancel)
    const stop = (): void => {
      cancel()
      queue.end()
    }
    if (closed !== null) queue.fail(new WireError('closed', closed))
    else if (signal.aborted) queue.end()
    else {
      signal.addEventListener('abort', stop)
      const end = (): void => {
        forget()
        queue.end()
      }
      const fail = (error: WireError): void => {
        forget()
        queue.fail(error)
      }
      begin({ kind: 'listen', id, name, input }, { kind: 'listen', next: (item) => queue.push(item), end, fail })
    }
    return queue
  }

  const entries = Object.entries(contract).map(([domain, endpoints]) => [
    domain,
    Object.fromEntries(
      Object.entries(endpoints).map(([verb, endpoint]) => {
        const name = `${domain}.${verb}`
        return [
          verb,
          endpoint.kind === 'command'
            ? (input: unknown) => call(name, input)
            : (input: unknown, signal: AbortSignal) => listen(name, input, signal),
        ]
      }),
    ),
  ])
  return Object.fromEntries(entries) as Client<C>
}

function sendOrWhy(wire: Wire, frame: Extract<ClientFrame, { kind: 'call' | 'listen' }>): WireError | null {
  if (weighsMoreThan(frame.input, MAX_FRAME_BYTES))
    return new WireError('too_large', `${frame.name}: the input is larger than ${MAX_FRAME_BYTES / 1024 / 1024} MB and was not sent.`)
  try {
    wire.send(frame)
    return null
  } catch (error) {
    return error instanceof WireError
      ? error
      : new WireError('invalid_input', `${frame.name}: the input is not plain data (${String(error)}).`)
  }
}

function receive(waiting: Map<number, Waiting>, frame: ServerFrame): void {
  const one = frame.id === null ? undefined : waiting.get(frame.id)
  if (!one || frame.id === null) return
  switch (frame.kind) {
    case 'ok':
      waiting.delete(frame.id)
      return one.next(frame.output)
    case 'item':
      return one.next(frame.item)
    case 'end':
      waiting.delete(frame.id)
      return one.end()
    case 'fail':
      waiting.delete(frame.id)
      return one.fail(new WireError(frame.code, frame.message))
    default:
      assertNever(frame, 'server frame')
  }
}

/**
 * Whether plain data needs more than `limit` bytes as JSON. It counts a lower bound (one byte per character), stops at the limit and does
 * not recurse, so that large, deep and cyclic data are safe.
 */
export function weighsMoreThan(value: unknown, limit: number): boolean {
  const open: unknown[] = [value]
  for (let weight = 0; open.length > 0;) {
    const one = open.pop()
    weight += ownWeight(one)
    if (weight > limit) return true
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue
    if (Array.isArray(one)) {
      weight += one.length
      if (weight > limit) return true
      for (const item of one) open.push(item)
      continue
    }
    for (const [key, item] of Object.entries(one)) {
      weight += key.length + 4
      open.push(item)
    }
  }
  return false
}

function ownWeight(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (ArrayBuffer.isView(value)) return value.byteLength
  return value === undefined ? 0 : 1
}

import type { Readable, Writable } from 'node:stream'
import type { z } from 'zod'
import { FrameReader, frameOf, MAX_BYTES, ProtocolError } from './frames.ts'
import { behindMarker } from './marker.ts'

/** Number of bytes that are sent in one piece of a larger content. */
const PIECE = MAX_BYTES / 4

/** Why no more messages arrive. `broken`: the other side broke the protocol. */
type ChannelEnd = { readonly kind: 'end' } | { readonly kind: 'broken'; readonly message: string }

/** One side of a connection: sends messages and hears those of the other side. */
export interface Channel<Sent extends object> {
  /** Does nothing once the connection has ended. Throws `E2BIG` for a message above the limits. */
  send(message: Sent, bytes?: Uint8Array): void
  /**
   * Sends bytes of any length, each piece with the same message. Resolves when the other side has read most of them, so that at most one
   * piece is held for a slow reader.
   */
  sendAll(message: Sent, bytes: Uint8Array): Promise<void>
  /** Ends the stream to the other side. Nothing that arrives afterwards is heard. */
  close(): void
}

export interface ChannelParts<Heard> {
  readonly input: Readable
  readonly output: Writable
  /** What the other side may send. A message that does not fit ends the connection. */
  readonly schema: z.ZodType<Heard>
  /** Whether frames begin only after the marker line. */
  readonly hasMarker: boolean
  /** The bytes are not used again. */
  readonly onMessage: (message: Heard, bytes: Buffer) => void
  /** Called once. */
  readonly onEnd: (end: ChannelEnd) => void
}

export function openChannel<Sent extends object, Heard>(parts: ChannelParts<Heard>): Channel<Sent> {
  const { input, output, schema } = parts
  let isOpen = true
  const end = (why: ChannelEnd): void => {
    if (!isOpen) return
    isOpen = false
    parts.onEnd(why)
  }
  const reader = new FrameReader((json, bytes) => {
    if (!isOpen) return
    const message = messageOf(schema, json)
    if (message.ok) parts.onMessage(message.value, bytes)
    else end({ kind: 'broken', message: message.why })
  })
  const read = (bytes: Buffer): void => reader.take(bytes)
  const take = parts.hasMarker ? behindMarker(read) : read
  input.on('data', (chunk: Buffer) => {
    if (!isOpen) return
    try {
      take(chunk)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      end({ kind: 'broken', message: error.message })
    }
  })
  for (const event of ['end', 'close', 'error'] as const) input.on(event, () => end({ kind: 'end' }))
  for (const event of ['close', 'error'] as const) output.on(event, () => end({ kind: 'end' }))
  const send = (message: Sent, bytes?: Uint8Array): void => {
    const frame = frameOf(message, bytes)
    if (isOpen && output.writable) output.write(frame)
  }
  return {
    send,
    async sendAll(message, bytes) {
      for (let from = 0; from < bytes.length; from += PIECE) {
        send(message, bytes.subarray(from, from + PIECE))
        await drained(output)
      }
    },
    close() {
      isOpen = false
      output.end()
    },
  }
}

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string }

function messageOf<T>(schema: z.ZodType<T>, json: Buffer): Parsed<T> {
  let value: unknown
  try {
    value = JSON.parse(json.toString('utf8'))
  } catch {
    return { ok: false, why: 'A message was not JSON.' }
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const [issue] = parsed.error.issues
  return { ok: false, why: `A message was not valid: ${issue?.message ?? 'unknown'} at ${issue?.path.join('.') ?? ''}.` }
}

/** Resolves when the stream takes more, or has closed. */
function drained(output: Writable): Promise<void> {
  if (!output.writableNeedDrain || output.destroyed) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = (): void => {
    output.off('drain', done)
    output.off('close', done)
    resolve()
  }
  output.on('drain', done)
  output.on('close', done)
  return promise
}

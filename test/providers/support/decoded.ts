import { parseArguments } from '../../../main/agent/answer/parse-arguments.ts'
import { type DecodedStream, decodeStream, type RecordedResponse } from '../../driver/offline/decode-stream.ts'
import type { WireName } from '../../driver/offline/provider-over-transport.ts'

export type Recorded = Partial<Omit<RecordedResponse, 'provider' | 'chunks'>>

/** Decodes a recorded body. The body is one piece unless it is given as pieces. */
export function decode(provider: WireName, body: string | readonly Uint8Array[], recorded: Recorded = {}): Promise<DecodedStream> {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body
  return decodeStream(
    { provider, chunks, status: 200, headers: { 'content-type': 'text/event-stream' }, end: 'clean', ...recorded },
    parseArguments,
  )
}

/** Splits the bytes into pieces of `size` bytes. */
export function torn(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

/** Builds the frames of an event stream. Text is inserted unchanged. */
export function frames(...events: readonly (object | string)[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
}

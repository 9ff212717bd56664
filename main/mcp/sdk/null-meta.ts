import { Buffer } from 'node:buffer'

/** In JSON text, only a key can look like this, because quotation marks inside a string are escaped. */
const NULL_META = /(?<!\\)("_meta"\s*:\s*)null/gu
/** The beginning of such a key at the end of a piece. */
const BEGINNING = /"(?:_(?:m(?:e(?:t(?:a(?:"\s{0,50}(?::\s{0,50}(?:n(?:u(?:l)?)?)?)?)?)?)?)?)?)?$/u

/**
 * Returns a function that rewrites pieces of JSON text: `"_meta": null` becomes `"_meta": {}`. The client library refuses a message with
 * null there before anything of ours sees it. What may continue in the next piece is returned with that piece.
 */
export function createNullMetaFilter(): (piece: Uint8Array) => Buffer {
  let held = ''
  return (piece) => {
    // Each byte is one character, so that characters in two pieces stay whole.
    const text = held + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    const end = BEGINNING.exec(text)?.index ?? text.length
    held = text.slice(end)
    return Buffer.from(text.slice(0, end).replaceAll(NULL_META, '$1{}'), 'latin1')
  }
}

/** `fetch` for the client library, whose answers pass through the filter. */
export async function fetchWithoutNullMeta(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const isJson = /^(?:application\/json|text\/event-stream)/iu.test(response.headers.get('content-type') ?? '')
  if (!response.ok || !response.body || !isJson) return response
  const filter = createNullMetaFilter()
  const filtered = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, to) => to.enqueue(filter(piece)),
  })
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  // The body is decoded already, and its length may change.
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  return new Response(response.body.pipeThrough(filtered), { status, statusText, headers })
}

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** Decompresses a body, because some proxies compress answers without being asked. Flushed data comes out at once; a cut body is an error. */
export function decoded(incoming: IncomingMessage): Readable {
  const encoding = incoming.headers['content-encoding']
  const decoder = encoding === undefined ? null : decoderOf(encoding)
  if (!decoder) return incoming
  incoming.once('error', (error) => decoder.destroy(error))
  decoder.once('close', () => incoming.destroy())
  return incoming.pipe(decoder)
}

function decoderOf(encoding: string) {
  // Loaded on demand, because it is rarely needed.
  const { constants, createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule('node:zlib')
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ flush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      return createInflate({ flush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })
    default:
      return null
  }
}

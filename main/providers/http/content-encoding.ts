import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** Some proxies compress whatever they pass on, asked or not. What is flushed comes out at once; a cut in the middle is an error. */
export function decoded(incoming: IncomingMessage): Readable {
  const encoding = incoming.headers['content-encoding']
  const decoder = encoding === undefined ? null : decoderOf(encoding)
  if (!decoder) return incoming
  incoming.once('error', (error) => decoder.destroy(error))
  decoder.once('close', () => incoming.destroy())
  return incoming.pipe(decoder)
}

function decoderOf(encoding: string) {
  // Loaded where it is needed, which is seldom.
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

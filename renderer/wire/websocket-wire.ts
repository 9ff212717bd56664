import { Emitter } from '../../shared/lib/emitter.ts'
import { MAX_FRAME_BYTES, WireError } from '../../shared/wire/frames.ts'
import { WireEnd } from '../../shared/wire/wire-end.ts'
import type { Wire } from '../../shared/wire/wire.ts'

/** The part of `WebSocket` that is used here. */
export type PageSocket = Pick<WebSocket, 'addEventListener' | 'send' | 'close'>

/**
 * Sends the token as the first frame and resolves to the wire once main has accepted it. Rejects with a readable message when the socket closes
 * before that.
 */
export function websocketWire(socket: PageSocket, token: string): Promise<Wire> {
  const messages = new Emitter<unknown>()
  const end = new WireEnd()
  const wire: Wire = {
    send(message) {
      if (end.reason !== null) return
      const text = JSON.stringify(message)
      if (bytesOf(text) > MAX_FRAME_BYTES) throw new WireError('too_large', 'The message is larger than 8 MB and was not sent.')
      socket.send(text)
    },
    onMessage: messages.event,
    onClose: end.onClose,
    close(reason = 'closed by the window') {
      if (end.reason !== null) return
      socket.close()
      end.end(reason)
    },
  }

  return new Promise((resolve, reject) => {
    let welcomed = false
    socket.addEventListener('open', () => socket.send(JSON.stringify({ kind: 'hello', token })))
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (end.reason !== null) return
      if (welcomed) return messages.fire(JSON.parse(data))
      welcomed = true
      resolve(wire)
    })
    socket.addEventListener('close', ({ reason }) => {
      end.end(reason || 'the connection to Countersign was lost')
      reject(new Error(end.reason ?? ''))
    })
  })
}

/**
 * Returns the size of a text in bytes. For a text that is far below the limit, returns its number of UTF-16 units instead, so that short
 * texts need not be encoded.
 */
function bytesOf(text: string): number {
  return text.length * 3 <= MAX_FRAME_BYTES ? text.length : new TextEncoder().encode(text).byteLength
}

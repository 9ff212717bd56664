import { disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { MAX_FRAME_BYTES, WireError } from '../../shared/wire/frames.ts'
import type { Wire } from '../../shared/wire/wire.ts'

/** The part of `WebSocket` that is used here. */
export type PageSocket = Pick<WebSocket, 'addEventListener' | 'send' | 'close'>

/**
 * Sends the token as the first frame and resolves to the wire once main has accepted it. Rejects with a readable message when the socket closes
 * before that.
 */
export function websocketWire(socket: PageSocket, token: string): Promise<Wire> {
  const messages = new Emitter<unknown>()
  const closes = new Emitter<string>()
  let closed: string | null = null

  const end = (reason: string): void => {
    if (closed !== null) return
    closed = reason
    closes.fire(reason)
  }
  const wire: Wire = {
    send(message) {
      if (closed !== null) return
      const text = JSON.stringify(message)
      if (bytesOf(text) > MAX_FRAME_BYTES) throw new WireError('too_large', 'The message is larger than 8 MB and was not sent.')
      socket.send(text)
    },
    onMessage: messages.event,
    onClose(listener) {
      if (closed === null) return closes.event(listener)
      listener(closed)
      return disposable(() => {})
    },
    close(reason = 'closed by the window') {
      if (closed !== null) return
      socket.close()
      end(reason)
    },
  }

  return new Promise((resolve, reject) => {
    let welcomed = false
    socket.addEventListener('open', () => socket.send(JSON.stringify({ kind: 'hello', token })))
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (closed !== null) return
      if (welcomed) return messages.fire(JSON.parse(data))
      welcomed = true
      resolve(wire)
    })
    socket.addEventListener('close', ({ reason }) => {
      end(reason || 'the connection to Countersign was lost')
      reject(new Error(closed ?? ''))
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

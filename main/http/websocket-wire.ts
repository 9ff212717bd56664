import type { RawData, WebSocket } from 'ws'
import { Emitter } from '../../shared/lib/emitter.ts'
import { WireEnd } from '../../shared/wire/wire-end.ts'
import type { Wire } from '../../shared/wire/wire.ts'

/** Streams pause above this many unsent bytes, and resume below a quarter of it. */
const ENOUGH_BYTES = 1024 * 1024
/** Above this many unsent bytes, the connection is closed. Single answers cannot be paused, and the page can reconnect and catch up. */
const TOO_MUCH_BYTES = 64 * 1024 * 1024
/** Maximum time for a page to answer our close frame (ms). */
const GOODBYE_MS = 1_000
/** Maximum number of bytes of the reason in a close frame. */
const REASON_BYTES = 120

/** The wire of one authenticated socket. Text that is not JSON arrives as `undefined`, which the protocol rejects. */
export function websocketWire(socket: WebSocket): Wire {
  const messages = new Emitter<unknown>()
  const ending = new WireEnd()
  let waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null

  const letGo = (): void => {
    waiting?.resolve()
    waiting = null
  }
  const end = (reason: string): void => {
    letGo()
    ending.end(reason)
  }
  const sent = (): void => {
    if (socket.bufferedAmount < ENOUGH_BYTES / 4) letGo()
  }

  socket.on('message', (data, isBinary) => {
    if (ending.reason === null) messages.fire(isBinary ? undefined : parsed(data))
  })
  socket.on('error', (error) => end(`the connection failed: ${error.message}`))
  socket.on('close', (code, reason) => end(reason.toString() || `the page has gone (${code})`))
  return {
    send(message) {
      if (ending.reason !== null) return
      const text = JSON.stringify(message)
      if (socket.bufferedAmount <= TOO_MUCH_BYTES) return socket.send(text, sent)
      socket.terminate()
      end('the page is too slow: more than 64 MB were waiting for it')
    },
    ready() {
      if (ending.reason !== null || socket.bufferedAmount <= ENOUGH_BYTES) return null
      waiting ??= Promise.withResolvers<void>()
      return waiting.promise
    },
    onMessage: messages.event,
    onClose: ending.onClose,
    close(reason = 'closed by the app') {
      if (ending.reason !== null) return
      socket.close(1000, Buffer.from(reason).subarray(0, REASON_BYTES).toString().replaceAll('\ufffd', ''))
      setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
      end(reason)
    },
  }
}

function parsed(data: RawData): unknown {
  try {
    return JSON.parse((data as Buffer).toString())
  } catch {
    return undefined
  }
}

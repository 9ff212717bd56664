import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { MAX_FRAME_BYTES } from '../../shared/wire/frames.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import type { AccessSecrets } from './access-secrets.ts'
import { websocketWire } from './websocket-wire.ts'

/** Close code for a socket that did not send a valid token as its first frame. The page gets a new token when it connects again. */
const NOT_SIGNED_IN = 4401
/** Time for a socket to send its token (ms). */
const FIRST_FRAME_MS = 5_000
/**
 * Maximum number of sockets that have not sent a token yet. Above this number the oldest is closed. If the newest were refused, silent
 * sockets could lock out our page.
 */
const STRANGERS_AT_MOST = 64

const FirstFrame = z.object({ kind: z.literal('hello'), token: z.string().max(100) })

export interface WebsocketServer {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes every connection, by force if a page does not answer. */
  close(): void
}

/** Turns accepted upgrades into wires if their first frame is a valid socket token. */
export function websocketServer(keys: AccessSecrets, onWire: (wire: Wire) => void): WebsocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false, clientTracking: true })
  const wires = new Set<Wire>()
  const strangers = new Set<WebSocket>()

  const admit = (socket: WebSocket): void => {
    const wire = websocketWire(socket)
    wires.add(wire)
    wire.onClose(() => wires.delete(wire))
    socket.send('{"kind":"welcome"}')
    onWire(wire)
  }

  const greet = (socket: WebSocket): void => {
    const [oldest] = strangers
    if (strangers.size >= STRANGERS_AT_MOST) oldest?.terminate()
    strangers.add(socket)
    const late = setTimeout(() => socket.close(NOT_SIGNED_IN, 'no token came'), FIRST_FRAME_MS)
    // No action is needed here: after an oversized or broken frame, a `close` event with the close code follows.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(late)
      strangers.delete(socket)
    })
    socket.once('message', (data, isBinary) => {
      clearTimeout(late)
      strangers.delete(socket)
      if (!isBinary && keys.useSocketToken(tokenIn(data))) admit(socket)
      else socket.close(NOT_SIGNED_IN, 'the token is not valid')
    })
  }

  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, greet)
    },
    close() {
      for (const wire of wires) wire.close('Countersign is ending')
      for (const stranger of strangers) stranger.terminate()
      server.close()
    },
  }
}

/** Empty if the frame is malformed. An empty token is never valid. */
function tokenIn(data: RawData): string {
  try {
    const frame = FirstFrame.safeParse(JSON.parse((data as Buffer).toString()))
    return frame.success ? frame.data.token : ''
  } catch {
    return ''
  }
}

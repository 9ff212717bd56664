import { disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { type PreloadBridge, TAKEN_EVERY, type MainPacket } from '../../shared/wire/ipc-packet.ts'
import type { Wire } from '../../shared/wire/wire.ts'

/** A new wire to main over the preload bridge. Main closes the previous wire of the window. */
export function ipcWire(bridge: PreloadBridge): Wire {
  const connection = crypto.randomUUID()
  const messages = new Emitter<unknown>()
  const closes = new Emitter<string>()
  let closed: string | null = null
  let unreported = 0

  const end = (reason: string): void => {
    closed = reason
    closes.fire(reason)
  }
  const receive = (packet: MainPacket): void => {
    if (closed !== null || packet.connection !== connection) return
    if (packet.kind === 'close') return end(packet.reason)
    if (++unreported === TAKEN_EVERY) {
      bridge.send({ kind: 'taken', connection, count: unreported })
      unreported = 0
    }
    messages.fire(packet.body)
  }

  bridge.onMessage(receive)
  bridge.send({ kind: 'open', connection })
  return {
    send(body) {
      if (closed === null) bridge.send({ kind: 'message', connection, body })
    },
    onMessage: messages.event,
    onClose(listener) {
      if (closed === null) return closes.event(listener)
      listener(closed)
      return disposable(() => {})
    },
    close(reason = 'closed by the window') {
      if (closed !== null) return
      bridge.send({ kind: 'close', connection })
      end(reason)
    },
  }
}

import { Emitter } from '../../shared/lib/emitter.ts'
import { type PreloadBridge, TAKEN_EVERY, type MainPacket } from '../../shared/wire/ipc-packet.ts'
import { WireEnd } from '../../shared/wire/wire-end.ts'
import type { Wire } from '../../shared/wire/wire.ts'

/** A new wire to main over the preload bridge. Main closes the previous wire of the window. */
export function ipcWire(bridge: PreloadBridge): Wire {
  const connection = crypto.randomUUID()
  const messages = new Emitter<unknown>()
  const end = new WireEnd()
  let unreported = 0

  const receive = (packet: MainPacket): void => {
    if (end.reason !== null || packet.connection !== connection) return
    if (packet.kind === 'close') return end.end(packet.reason)
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
      if (end.reason === null) bridge.send({ kind: 'message', connection, body })
    },
    onMessage: messages.event,
    onClose: end.onClose,
    close(reason = 'closed by the window') {
      if (end.reason !== null) return
      bridge.send({ kind: 'close', connection })
      end.end(reason)
    },
  }
}

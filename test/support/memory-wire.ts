import { Emitter } from '../../shared/lib/emitter.ts'
import { WireEnd } from '../../shared/wire/wire-end.ts'
import type { Wire } from '../../shared/wire/wire.ts'

/** Returns the two ends of a wire inside one process. Messages are cloned and delivered later, as over any other wire. */
export function memoryWire(): readonly [Wire, Wire] {
  const ends = [new End(), new End()] as const
  return [wireOf(ends[0], ends[1]), wireOf(ends[1], ends[0])]
}

class End extends WireEnd {
  readonly messages = new Emitter<unknown>()

  receive(message: unknown): void {
    if (this.reason === null) this.messages.fire(message)
  }
}

function wireOf(own: End, other: End): Wire {
  return {
    send(message) {
      if (own.reason !== null) return
      const copy: unknown = structuredClone(message)
      queueMicrotask(() => other.receive(copy))
    },
    ready: () => null,
    onMessage: own.messages.event,
    onClose: own.onClose,
    close(reason = 'closed by this side') {
      if (own.reason !== null) return
      own.end(reason)
      queueMicrotask(() => other.end(reason))
    },
  }
}

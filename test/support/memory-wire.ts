import { Emitter } from '../../shared/lib/emitter.ts'
import { disposable } from '../../shared/lib/disposable.ts'
import type { Wire } from '../../shared/wire/wire.ts'

/** Returns the two ends of a wire inside one process. Messages are cloned and delivered later, as over any other wire. */
export function memoryWire(): readonly [Wire, Wire] {
  const ends = [new End(), new End()] as const
  return [wireOf(ends[0], ends[1]), wireOf(ends[1], ends[0])]
}

class End {
  readonly messages = new Emitter<unknown>()
  readonly closes = new Emitter<string>()
  closed: string | null = null

  receive(message: unknown): void {
    if (this.closed === null) this.messages.fire(message)
  }

  close(reason: string): void {
    if (this.closed !== null) return
    this.closed = reason
    this.closes.fire(reason)
  }
}

function wireOf(own: End, other: End): Wire {
  return {
    send(message) {
      if (own.closed !== null) return
      const copy: unknown = structuredClone(message)
      queueMicrotask(() => other.receive(copy))
    },
    ready: () => null,
    onMessage: own.messages.event,
    onClose(listener) {
      if (own.closed === null) return own.closes.event(listener)
      listener(own.closed)
      return disposable(() => {})
    },
    close(reason = 'closed by this side') {
      if (own.closed !== null) return
      own.close(reason)
      queueMicrotask(() => other.close(reason))
    },
  }
}

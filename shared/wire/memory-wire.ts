import { Emitter } from '../lib/emitter.ts'
import { disposable } from '../lib/disposable.ts'
import type { Wire } from './wire.ts'

/** Two ends of a wire inside one process. Messages are cloned and delivered later, as over any other wire. */
export function memoryWire(): readonly [Wire, Wire] {
  const ends = [end(), end()] as const
  const closeBoth = (reason: string): void => ends.forEach((one) => one.closeWith(reason))
  return [wireOf(ends[0], ends[1], closeBoth), wireOf(ends[1], ends[0], closeBoth)]
}

function end() {
  const messages = new Emitter<unknown>()
  const closes = new Emitter<string>()
  let closed: string | null = null
  return {
    messages,
    closes,
    closedWith: () => closed,
    closeWith(reason: string) {
      if (closed !== null) return
      closed = reason
      closes.fire(reason)
    },
  }
}

type End = ReturnType<typeof end>

function wireOf(own: End, other: End, closeBoth: (reason: string) => void): Wire {
  return {
    send(message) {
      if (own.closedWith() !== null) return
      const copy: unknown = structuredClone(message)
      queueMicrotask(() => other.messages.fire(copy))
    },
    onMessage: own.messages.event,
    onClose(listener) {
      const reason = own.closedWith()
      if (reason === null) return own.closes.event(listener)
      listener(reason)
      return disposable(() => {})
    },
    close: (reason = 'closed by this side') => closeBoth(reason),
  }
}

import { type AppHandlers, contract } from '../../../../shared/api/contract.ts'
import { memoryWire } from '../../../support/memory-wire.ts'
import { serve } from '../../../../shared/wire/serve.ts'
import type { Wire } from '../../../../shared/wire/wire.ts'

type Domains = { readonly [D in keyof AppHandlers]?: Partial<AppHandlers[D]> }

/** The other end of a window's wire. It gives only the answers that a test has defined. */
export interface OtherSide {
  /** For `Connection`: opens a new wire each time. Rejects while the other side is away. */
  readonly open: () => Promise<Wire>
  /** Returns the number of wires opened so far. */
  readonly opened: () => number
  /** Breaks the open wire. */
  breakWire(why?: string): void
  /** While true, every attempt to open a wire fails. */
  away: boolean
}

/**
 * Uses the real contract over the real wire code. Only the answers come from the test. A call without an answer is a mistake in the test.
 */
export function otherSide(domains: Domains): OtherSide {
  let current: Wire | null = null
  let count = 0
  const handlers = Object.fromEntries(
    Object.entries(contract).map(([domain, endpoints]) => [
      domain,
      Object.fromEntries(
        Object.keys(endpoints).map((verb) => {
          const own = (domains as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>)[domain]?.[verb]
          const unexpected = (): never => {
            throw new Error(`${domain}.${verb} was not expected`)
          }
          return [verb, own ?? unexpected]
        }),
      ),
    ]),
  ) as unknown as AppHandlers
  const side: OtherSide = {
    away: false,
    opened: () => count,
    async open() {
      if (side.away) throw new Error('Nobody answers.')
      const [near, far] = memoryWire()
      count++
      current = far
      serve(far, contract, handlers, { connection: `test-${count}`, onBug: () => {} })
      return near
    },
    breakWire: (why = 'the wire was cut') => current?.close(why),
  }
  return side
}

/** Resolves when `holds` is true. The condition is checked after every change of a store. */
export function when<T>(
  store: { getState(): T; subscribe(listener: (state: T) => void): () => void },
  holds: (state: T) => boolean,
): Promise<T> {
  const now = store.getState()
  if (holds(now)) return Promise.resolve(now)
  return new Promise((resolve) => {
    const stop = store.subscribe((state) => {
      if (!holds(state)) return
      stop()
      resolve(state)
    })
  })
}

import { afterEach, beforeEach, expect } from 'vitest'
import { connect } from '../../shared/wire/connect.ts'
import type { Client } from '../../shared/wire/contract.ts'
import { WireError } from '../../shared/wire/frames.ts'
import { serve } from '../../shared/wire/serve.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import { Bench, benchContract } from './wire-bench.ts'

/** Both ends of one connection. `page` is the client's end, and `main` is the end of the handlers. */
export interface WirePair {
  readonly page: Wire
  readonly main: Wire
  /** Closes servers and sockets. The wires may already be closed. */
  dispose(): Promise<void>
}

/** Resolves with the next messages as soon as `count` of them have arrived. */
export const received = (wire: Wire, count: number): Promise<readonly unknown[]> =>
  new Promise((resolve) => {
    const all: unknown[] = []
    const heard = wire.onMessage((message) => {
      all.push(message)
      if (all.length < count) return
      heard.dispose()
      resolve(all)
    })
  })

export const closed = (wire: Wire): Promise<string> => new Promise((resolve) => wire.onClose(resolve))

/** One connection that serves the bench contract. */
export interface Served {
  readonly pair: WirePair
  readonly bench: Bench
  readonly client: Client<typeof benchContract>
  readonly bugs: readonly string[]
  dispose(): Promise<void>
}

async function served(open: () => Promise<WirePair>): Promise<Served> {
  const pair = await open()
  const bench = new Bench()
  const bugs: string[] = []
  serve(pair.main, benchContract, bench.handlers, { connection: 'window-1', onBug: (_, name) => bugs.push(name) })
  return { pair, bench, bugs, client: connect(pair.page, benchContract), dispose: () => pair.dispose() }
}

/** Opens a new connection for each test of the surrounding `describe`. */
export function servedEach(open: () => Promise<WirePair>): { readonly now: () => Served } {
  let current: Served
  beforeEach(async () => {
    current = await served(open)
  })
  afterEach(() => current.dispose())
  return { now: () => current }
}

/** Resolves with the `WireError` that the promise rejects with. */
export const failure = (promise: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> =>
  promise.then(
    (value) => Promise.reject(new Error(`expected a failure, got ${JSON.stringify(value)}`)),
    (error: unknown) => {
      expect(error).toBeInstanceOf(WireError)
      const { code, message } = error as WireError
      return { code, message }
    },
  )

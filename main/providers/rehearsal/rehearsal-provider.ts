import type { Clock } from '../../agent/ports/clock.ts'
import type { Provider } from '../../agent/ports/provider.ts'
import type { OpenProvider } from '../answer/stream-provider.ts'
import { createAnthropic } from '../anthropic/anthropic.ts'
import { STREAM_LIMITS } from '../http/exchange.ts'
import type { ModelServer } from './model-server.ts'
import { type NodeFacts, nodeFacts } from './node-facts.ts'

/** Milliseconds between two pieces of an answer: about as fast as a person reads. */
const READABLE_PACE_MS = 28
const KEY = 'rehearsal'

export interface RehearsalProvider extends Provider {
  /** Ends the server; whatever it was saying breaks off. */
  close(): Promise<void>
}

/**
 * The scripted model of the rehearsal, reached like any other: over HTTP, in Anthropic's wire format, on a free port of 127.0.0.1 that is
 * opened with the first request. It is no model and says so.
 */
export function createRehearsalProvider(clock: Clock, paceMs = READABLE_PACE_MS, node: NodeFacts | null = nodeFacts()): RehearsalProvider {
  let started: Promise<{ readonly server: ModelServer; readonly provider: OpenProvider }> | null = null
  const start = async () => {
    // Whoever works with a real model need not load the scripted one.
    const server = await (await import('./script.ts')).startScriptedModel(paceMs, node)
    const key = (): Promise<string> => Promise.resolve(KEY)
    const options = { id: 'rehearsal', label: 'The rehearsal', baseUrl: server.url, key, clock, limits: STREAM_LIMITS } as const
    return { server, provider: createAnthropic(options) }
  }
  return {
    id: 'rehearsal',
    async *stream(request, signal) {
      const { provider } = await (started ??= start())
      yield* provider.stream(request, signal)
    },
    async close() {
      const running = await started
      started = null
      running?.provider.close()
      await running?.server.close()
    },
  }
}

import type { Clock } from '../../agent/ports/clock.ts'
import type { Provider } from '../../agent/ports/provider.ts'
import type { OpenProvider } from '../answer/stream-provider.ts'
import { createAnthropic } from '../anthropic/anthropic.ts'
import { STREAM_LIMITS } from '../http/exchange.ts'
import type { ModelServer } from './model-server.ts'
import { type NodeForTests, nodeForTests } from './node-for-sample-tests.ts'

/** Milliseconds between two pieces of an answer. The pace is about reading speed. */
const READABLE_PACE_MS = 28
const KEY = 'rehearsal'

export interface RehearsalProvider extends Provider {
  /** Stops the server, even in the middle of an answer. */
  close(): Promise<void>
}

/**
 * The provider of the rehearsal. A script answers over HTTP in Anthropic's wire format, on a free port of 127.0.0.1 that is opened with the
 * first request.
 */
export function createRehearsalProvider(
  clock: Clock,
  paceMs = READABLE_PACE_MS,
  node: NodeForTests | null = nodeForTests(),
): RehearsalProvider {
  let started: Promise<{ readonly server: ModelServer; readonly provider: OpenProvider }> | null = null
  const start = async () => {
    // The module is loaded on demand, because work with a real model does not need it.
    const server = await (await import('./rehearsal-script.ts')).startScriptedModel(paceMs, node)
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

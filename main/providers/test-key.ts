import type { KeyTest } from '../../shared/api/settings.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Provider } from '../agent/ports/provider.ts'
import { troubleOf } from './trouble.ts'

/** One request of a few tokens; it is broken off as soon as the service has begun to answer. `ms` is the time until then. */
export async function testKey(provider: Provider, model: string, clock: Clock): Promise<KeyTest> {
  const abort = new AbortController()
  const since = clock.now()
  const turns = [{ kind: 'user', content: 'Answer with the word yes.' }] as const
  for await (const event of provider.stream({ model, system: '', tools: [], turns, effort: null }, abort.signal)) {
    if (event.kind === 'failure') return { kind: 'failed', trouble: troubleOf(event.failure, { nowMs: clock.now() }) }
    if (event.kind !== 'start') {
      abort.abort(new Error('the answer has begun'))
      return { kind: 'works', ms: clock.now() - since }
    }
  }
  return { kind: 'works', ms: clock.now() - since }
}

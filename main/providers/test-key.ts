import type { KeyTest } from '../../shared/api/settings.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Provider } from '../agent/ports/provider.ts'
import { failure } from './failures/failures.ts'
import { troubleOf } from './failures/trouble-of-failure.ts'

/** Time limit in ms. The user waits for the result. */
const TIMEOUT_MS = 30_000

/** Makes one small request with the current key and cancels it as soon as the service starts to answer. */
export async function testKey(provider: Provider, model: string, clock: Clock): Promise<KeyTest> {
  const leave = new AbortController()
  const startMs = clock.elapsed()
  clock.sleep(TIMEOUT_MS, leave.signal).then(
    () => leave.abort(),
    () => {},
  )
  const request = { model, system: '', tools: [], turns: [{ kind: 'user', content: 'Say yes.' }], effort: null } as const
  try {
    for await (const event of provider.stream(request, leave.signal)) {
      if (event.kind !== 'failure') return { kind: 'works', ms: Math.round(clock.elapsed() - startMs) }
      const slow = failure('timeout', `No answer arrived within ${TIMEOUT_MS / 1000} s.`)
      const trouble = troubleOf(leave.signal.aborted ? slow : event.failure, { nowMs: clock.now() })
      return { kind: 'failed', trouble: ofTest(trouble) }
    }
  } finally {
    leave.abort()
  }
  throw new Error('The stream of a provider ended without a finish event or a failure event.')
}

/** Adapts a failure's text to a key test, in which no message is kept and no turn can be resumed. */
const ofTest = ({ todo, ...trouble }: Trouble): Trouble => ({
  ...trouble,
  kept: 'The stored keys are unchanged.',
  todo: todo.replace(/\bresume\b/u, 'test again').replace(/\bResume\b/u, 'Test again'),
})

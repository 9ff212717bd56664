import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRecord } from '../../main/agent/record/session-record.ts'
import { watchSession } from '../../main/sessions/watch-session.ts'
import { openStore } from '../../main/store/open-store.ts'
import { temporaryFolder } from '../agent/support/rig.ts'
import type { SessionStreamItem } from '../../shared/api/sessions.ts'
import { manualClock } from '../support/manual-clock.ts'

test('live events are delivered within two frames, even if the clock is set back by a day (fault 52)', async () => {
  const folder = await temporaryFolder('watch')
  const opened = await openStore(join(folder, 'data'))
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  onTestFinished(() => store.close())
  const config = { provider: 'anthropic', model: 'm', mode: 'ask', effort: null, baseUrl: null } as const
  const sessionId = store.sessions.create({ cwd: folder, ...config })
  const clock = manualClock()
  const record = createRecord({ sessionId, log: store.log(sessionId), clock })
  const left = new AbortController()
  const items = watchSession({ record, clock, store }, record.state().cursor, left.signal)
  const live = (waitingFor: string) => record.publish({ kind: 'PROGRESS', waitingFor, sinceMs: 0, untilMs: null })
  const next = async (): Promise<unknown> => {
    const told: IteratorResult<SessionStreamItem, void> = await items.next()
    return told.value?.kind === 'events' && told.value.envelopes.map(({ event }) => 'waitingFor' in event && event.waitingFor)
  }
  const first = next()
  live('first')
  expect(await first).toEqual(['first'])
  clock.set(clock.now() - 24 * 3_600_000)
  live('second')
  const second = next()
  await clock.sleeper(30)
  await clock.advance(30)
  expect(await second).toEqual(['second'])
  left.abort()
  await items.return(undefined)
})

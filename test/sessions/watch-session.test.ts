import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRecord } from '../../main/agent/record/session-record.ts'
import { watchSession } from '../../main/sessions/watch-session.ts'
import { openStore } from '../../main/store/open-store.ts'
import type { SessionStreamItem } from '../../shared/api/sessions.ts'
import { manualClock } from '../support/manual-clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('all events that one task of the event loop stores are sent together, after that task', async () => {
  const { record, items } = await watched()
  const nextKinds = async () => {
    const told: IteratorResult<SessionStreamItem, void> = await items.next()
    return told.value?.kind === 'events' && told.value.envelopes.map(({ event }) => event.kind)
  }
  const before = nextKinds()
  record.publish({ kind: 'PROGRESS', waitingFor: 'model', sinceMs: 0, untilMs: null })
  await before
  let isSent = false
  const sent = nextKinds().finally(() => (isSent = true))
  record.append({ kind: 'SESSION_RENAMED', name: 'First' })
  record.append({ kind: 'SESSION_RENAMED', name: 'Second' })
  // All promises of this task are settled before the next tick.
  await new Promise(process.nextTick)
  expect(isSent).toBe(false)
  expect(await sent).toEqual(['SESSION_RENAMED', 'SESSION_RENAMED'])
})

test('live events are delivered within two frames, even if the clock is set back by a day (fault 52)', async () => {
  const { record, clock, items } = await watched()
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
})

/** A session that one window watches. */
async function watched() {
  const folder = temporaryFolder('watch')
  const opened = await openStore(join(folder, 'data'))
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  const config = { provider: 'anthropic', model: 'm', mode: 'ask', effort: null, baseUrl: null } as const
  const sessionId = store.sessions.create({ cwd: folder, ...config })
  const clock = manualClock()
  const record = createRecord({ sessionId, log: store.log(sessionId), clock })
  const left = new AbortController()
  const items = watchSession({ record, clock, store }, record.state().cursor, left.signal)
  onTestFinished(async () => {
    left.abort()
    await items.return(undefined)
    store.close()
  })
  return { record, clock, items }
}

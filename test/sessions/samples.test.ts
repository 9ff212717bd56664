import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshSampleProject } from '../../main/compose/fresh-sample-project.ts'
import { openStore } from '../../main/store/open-store.ts'
import type { SessionConfigured } from '../../shared/session/events.ts'
import { value } from './support/office.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('the next rehearsal removes the samples of finished rehearsals and no others', async () => {
  const base = temporaryFolder('samples')
  const parent = join(base, 'tmp')
  let now = 1_700_000_000_000
  const store = value(await openStore(join(base, 'data'), { clock: { now: () => now } }))
  onTestFinished(() => store.close())
  const config: SessionConfigured = { provider: 'rehearsal', model: 'rehearsal', mode: 'ask', effort: null, baseUrl: null }
  const rehearsal = async (isOwn = false) => {
    const cwd = await freshSampleProject(store, now, parent)
    const sessionId = store.sessions.create({ cwd, ...config, ...(isOwn && { provider: 'anthropic' as const }) })
    return { cwd, log: store.log(sessionId) }
  }
  const over = await rehearsal()
  over.log.append({ kind: 'USER_INPUT', inputId: 'i', text: 'go', delivery: 'prompt' }, { kind: 'PROCESSING_END', reason: 'completed' })
  const atWork = await rehearsal()
  atWork.log.append({ kind: 'USER_INPUT', inputId: 'i', text: 'go', delivery: 'prompt' })
  const own = await rehearsal(true)
  now += DAY_MS / 2
  const recent = await rehearsal()
  expect(existsSync(over.cwd)).toBe(true)
  now += DAY_MS / 2 + 1
  const newest = await rehearsal()
  const there = [over, atWork, own, recent, newest].map(({ cwd }) => existsSync(cwd))
  expect(there).toEqual([false, true, true, true, true])
  expect(store.folders.trust(newest.cwd)).toBe(true)
  // The history is complete even without the folder.
  expect(store.sessions.list().length).toBe(5)
})

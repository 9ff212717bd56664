import { expect, test } from 'vitest'
import { runTask } from '../../main/headless/run-task.ts'
import type { AnyEnvelope } from '../../shared/session/events.ts'
import { say } from '../support/scripted-model.ts'
import { appOver } from './support/app-over.ts'
import { place } from './support/model-place.ts'

test('a task whose stop came before it is kept, and no model is asked', async () => {
  const at = await place([say('Never said.')])
  const app = await appOver(at.data, at.cwd)
  const created = await app.starter.start(at.cwd, { provider: 'anthropic', baseUrl: at.model.url })
  if (!created.ok) throw new Error(created.failure.what)
  const shown: AnyEnvelope[] = []
  const progress = { show: (envelope: AnyEnvelope) => void shown.push(envelope), end: () => {} }
  const answers = { terminal: null, bytes: { get: app.store.blobs.get, file: () => null } }
  const state = await runTask({
    session: created.value,
    task: 'x',
    progress,
    answers,
    open: app.sessions.open,
    signal: AbortSignal.abort(),
  })
  expect(state.ended).toBe('stopped')
  expect(at.model.requests).toEqual([])
  expect(shown.filter(({ seq }) => seq !== null).map(({ event }) => event.kind)).toEqual(['SESSION_START', 'USER_INPUT', 'PROCESSING_END'])
})

import { expect, test } from 'vitest'
import { runTask } from '../../main/headless/run-task.ts'
import type { AnyEnvelope } from '../../shared/session/events.ts'
import { say } from '../support/scripted-model.ts'
import { appOver } from './support/app-over.ts'
import { place } from './support/model-place.ts'

test('a task that was stopped before it started is stored, and no request is sent', async () => {
  const at = await place([say('Never said.')])
  const app = await appOver(at.data, at.cwd)
  const created = await app.starter.start(at.cwd, { provider: 'anthropic', baseUrl: at.model.url })
  if (!created.ok) throw new Error(created.failure.what)
  const shown: AnyEnvelope[] = []
  const progress = { show: (envelope: AnyEnvelope) => void shown.push(envelope), end: () => {} }
  const session = created.value
  const answers = { terminal: null, pause: false, bytes: { get: app.store.blobs.get, file: () => null } }
  const ran = await runTask({
    session,
    begin: async () => session.running()?.submit('x') ?? { ok: false, trouble: { code: '', what: '', kept: '', todo: '' } },
    history: true,
    progress,
    answers,
    open: app.sessions.open,
    signal: AbortSignal.abort(),
  })
  expect(ran).toMatchObject({ kind: 'ended', state: { ended: 'stopped' } })
  expect(at.model.requests).toEqual([])
  expect(shown.filter(({ seq }) => seq !== null).map(({ event }) => event.kind)).toEqual(['SESSION_START', 'USER_INPUT', 'PROCESSING_END'])
})

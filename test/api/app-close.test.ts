import { rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('closing the app performs every step even if one fails, and reports what failed', async () => {
  const base = temporaryFolder('close')
  const parts = { host: headlessHost(), dataFolder: base, version: '0.0.0', openFolder: null, watched: true } as const
  const created = await createApp({ ...parts, whenUnsaved: 'fail' })
  if (!created.ok) throw new Error(created.failure.what)
  const app = created.value
  const rehearsal = await app.starter.rehearse()
  if (!rehearsal.ok) throw new Error(rehearsal.failure.what)
  onTestFinished(() => rmSync(rehearsal.value.record.state().cwd, { recursive: true, force: true }))
  const { closeAll } = app.sessions
  app.sessions.closeAll = async () => {
    await closeAll()
    throw new Error('a session would not end')
  }
  await expect(app.close()).rejects.toThrow('a session would not end')
  expect(() => app.store.health()).toThrow('is not open')
})

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { call, calls, startScriptedModel } from '../support/scripted-model.ts'
import { startSession } from './support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('damaged sessions are reported, and the others stay usable (fault 55)', async () => {
  const base = temporaryFolder('damaged')
  const dataFolder = join(base, 'data')
  const folder = join(base, 'workspace')
  await mkdir(folder)
  const model = await startScriptedModel(() => calls(call('write_file', { file_path: 'a.txt', content: 'a' })))
  onTestFinished(() => model.close())
  const names: string[] = []
  for (let count = 0; count < 3; count++) {
    const session = await startSession({ data: dataFolder, folder, modelUrl: model.url })
    session.tell({ kind: 'send', text: 'Begin' })
    await session.event('APPROVAL_REQUESTED')
    await session.kill()
    names.push(session.sessionId)
  }
  const [whole = '', ...damaged] = names
  const db = new Database(join(dataFolder, DATABASE_FILE))
  for (const name of damaged)
    db.prepare(`UPDATE events SET event = '{"kind":' WHERE session_id = ? AND event ->> 'kind' = 'APPROVAL_REQUESTED'`).run(name)
  db.close()

  const parts = { host: headlessHost(), dataFolder, version: '0.0.0', openFolder: null, watched: true, trusted: folder } as const
  const app = await createApp({ ...parts, whenUnsaved: 'fail' })
  if (!app.ok) throw new Error(app.failure.what)
  onTestFinished(() => app.value.close())
  const { sessions, store } = app.value
  expect(store.sessions.list().map(({ sessionId }) => sessionId)).toEqual(names.toReversed())
  for (const name of damaged) {
    expect(await sessions.open(SessionId.parse(name))).toMatchObject({ ok: false, failure: { code: 'storage_corrupt' } })
    expect(store.claims.holder(SessionId.parse(name))).toBe(null)
  }
  const opened = await sessions.open(SessionId.parse(whole))
  if (!opened.ok) throw new Error(opened.failure.what)
  expect(opened.value.record.state().run).toBe('AWAITING_INPUT')
  await opened.value.stop()
  expect(opened.value.record.state().run).toBe('IDLE')
})

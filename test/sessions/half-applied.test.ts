import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { recoverFolderCopies } from '../../main/compose/folder-copies.ts'
import { PROCESS_SPACE } from '../../main/environment/temporary-folder.ts'
import { DATABASE_FILE, openStore } from '../../main/store/open-store.ts'
import { temporaryFolder } from '../agent/support/rig.ts'

test('only the newest session of a folder records that a command’s changes may be half applied, and only once', async () => {
  const [data, folder] = [await temporaryFolder('half'), await temporaryFolder('half')]
  const layer = join(data, 'copies', `copy-4194304.${PROCESS_SPACE}-0123456789ab`)
  await mkdir(join(layer, 'staged'), { recursive: true })
  await symlink(folder, join(layer, 'low'))
  await writeFile(join(layer, 'journal'), 'not JSON')
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  onTestFinished(() => store.close())
  const start = { provider: 'anthropic', model: 'claude-haiku-4-5', mode: 'ask', effort: null, baseUrl: null } as const
  const ids = [folder, folder, join(folder, 'other')].map((cwd) => store.sessions.create({ cwd, ...start }))
  for (const _start of [1, 2]) expect(await recoverFolderCopies(data, store)).toMatchObject([{ code: 'command-journal-unreadable' }])
  const warnings = ids.map((id) => [...store.log(id).read({ after: 0 })].filter(({ event }) => event.kind === 'WARNING').length)
  expect(warnings).toEqual([0, 1, 0])
  const db = new Database(join(data, DATABASE_FILE))
  db.exec(`UPDATE events SET event = '{'`)
  db.close()
  // The damaged session must not prevent the launch.
  expect(await recoverFolderCopies(data, store)).toMatchObject([{ code: 'command-journal-unreadable' }])
})

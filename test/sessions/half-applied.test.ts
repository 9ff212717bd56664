import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { recoverFolderCopies } from '../../main/compose/folder-copies.ts'
import { PROCESS_SPACE } from '../../main/environment/temporary-folder.ts'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import { openStore } from '../../main/store/open-store.ts'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const START = { provider: 'anthropic', model: 'claude-haiku-4-5', mode: 'ask', effort: null, baseUrl: null } as const

async function storeIn(data: string) {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  onTestFinished(() => opened.value.close())
  return opened.value
}

/** Makes all events of the store unreadable. */
function damage(data: string): void {
  const db = new Database(join(data, DATABASE_FILE))
  db.exec(`UPDATE events SET event = '{'`)
  db.close()
}

test('only the newest session of a folder records that a command’s changes may be half applied, and only once', async () => {
  const data = temporaryFolder('half')
  const folder = temporaryFolder('half')
  const layer = join(data, 'copies', `copy-4194304.${PROCESS_SPACE}-0123456789ab`)
  await mkdir(join(layer, 'staged'), { recursive: true })
  await symlink(folder, join(layer, 'low'))
  await writeFile(join(layer, 'journal'), 'not JSON')
  const store = await storeIn(data)
  const ids = [folder, folder, join(folder, 'other')].map((cwd) => store.sessions.create({ cwd, ...START }))
  for (const _start of [1, 2]) expect(await recoverFolderCopies(data, store)).toMatchObject([{ code: 'command-journal-unreadable' }])
  const warnings = ids.map((id) => [...store.log(id).read({ after: 0 })].filter(({ event }) => event.kind === 'WARNING').length)
  expect(warnings).toEqual([0, 1, 0])
  damage(data)
  // The damaged session must not prevent the launch.
  expect(await recoverFolderCopies(data, store)).toMatchObject([{ code: 'command-journal-unreadable' }])
})

test('a damaged session keeps the trees and copies that it may still need, and does not prevent the launch', async () => {
  const data = temporaryFolder('half')
  const folder = temporaryFolder('half')
  const store = await storeIn(data)
  const parent = store.sessions.create({ cwd: folder, ...START })
  store.log(parent).append({ kind: 'USER_INPUT', inputId: 'i', text: 'go', delivery: 'prompt' })
  const link = { sessionId: parent, toolCallId: ToolCallId.parse('c'), agentType: 'explorer', depth: 1, readsOnly: false, lease: NO_LEASE }
  const child = store.sessions.create({ cwd: folder, ...START, parent: link })
  const held = join(data, 'copies', `held-4194304.${PROCESS_SPACE}-0123456789ab`)
  const copy = join(data, 'subagents', child)
  for (const path of [held, copy]) await mkdir(path, { recursive: true })
  damage(data)
  expect(await recoverFolderCopies(data, store)).toEqual([])
  expect([held, copy].map((path) => existsSync(path))).toEqual([true, true])
})

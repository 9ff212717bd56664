import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  keptNoteIn,
  openSocketFolder,
  openTemporaryFolder,
  sweepTemporaryFolders,
  type TemporaryUse,
} from '../../main/environment/temporary-folder.ts'

const USES: readonly TemporaryUse[] = ['blobs', 'data', 'home', 'questions', 'read-only', 'shell']
const { pid: dead } = spawnSync('true')
/** For folders without a note. */
const never = (): Promise<never> => Promise.reject(new Error('There is no note.'))

test.each(USES)('launching removes the %s folder of a killed process, but not that of a running one', async (use) => {
  const place = mkdtempSync(join(tmpdir(), 'sweep-'))
  vi.stubEnv('TMPDIR', place)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(place, { recursive: true })
  })
  const running = await openTemporaryFolder(use)
  const killed = running.replace(`-${process.pid}.`, `-${dead}.`)
  mkdirSync(killed)
  await sweepTemporaryFolders(never)
  expect([existsSync(killed), existsSync(running)]).toEqual([false, true])
})

test.skipIf(process.platform === 'win32')('launching removes the sockets of a killed process, but not those of a running one', async () => {
  const running = await openSocketFolder()
  const killed = running.replace(`-${process.pid}.`, `-${dead}.`)
  onTestFinished(() => rmSync(running, { recursive: true }))
  mkdirSync(killed)
  const server = createServer()
  server.listen(join(killed, 'socket'))
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  await sweepTemporaryFolders(never)
  expect([existsSync(killed), existsSync(running)]).toEqual([false, true])
})

test('a folder whose note cannot be saved is kept for the next launch', async () => {
  const place = mkdtempSync(join(tmpdir(), 'sweep-'))
  vi.stubEnv('TMPDIR', place)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(place, { recursive: true })
  })
  const killed = (await openTemporaryFolder('home')).replace(`-${process.pid}.`, `-${dead}.`)
  mkdirSync(killed)
  writeFileSync(keptNoteIn(killed), '{}')
  await sweepTemporaryFolders(() => Promise.reject(new Error('The disk is full.')))
  expect(existsSync(killed)).toBe(true)
  // Other tests may have left folders as well.
  await sweepTemporaryFolders((folder) => (folder === killed ? Promise.resolve() : never()))
  expect(existsSync(killed)).toBe(false)
})

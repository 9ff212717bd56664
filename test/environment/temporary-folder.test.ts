import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSocketFolder, openTemporaryFolder, sweepTemporaryFolders, type TemporaryUse } from '../../main/environment/temporary-folder.ts'

const USES: readonly TemporaryUse[] = ['blobs', 'data', 'home', 'questions', 'read-only', 'shell']
const { pid: dead } = spawnSync('true')

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
  await sweepTemporaryFolders()
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
  await sweepTemporaryFolders()
  expect([existsSync(killed), existsSync(running)]).toEqual([false, true])
})

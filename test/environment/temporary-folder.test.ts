import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTemporaryFolder, sweepTemporaryFolders, type TemporaryUse } from '../../main/environment/temporary-folder.ts'

const USES: readonly TemporaryUse[] = ['blobs', 'data', 'home', 'read-only', 'shell']
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

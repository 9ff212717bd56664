import { chmodSync, copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ptyStarterIsRunnable } from '../../../main/environment/process/node-pty-host.ts'
import { tempFolder } from '../support.ts'

const SHIPPED = new URL('../../../node_modules/node-pty/prebuilds/darwin-arm64/spawn-helper', import.meta.url)

it('macOS: the packaged terminal helper is made executable before the first terminal', async () => {
  const folder = tempFolder()
  const helper = join(folder, 'prebuilds', 'darwin-arm64', 'spawn-helper')
  mkdirSync(join(helper, '..'), { recursive: true })
  copyFileSync(SHIPPED, helper)
  chmodSync(helper, 0o644)
  expect(await ptyStarterIsRunnable(folder, 'darwin', 'arm64')).toBe(true)
  expect(statSync(helper).mode & 0o777).toBe(0o755)
})

it('on other systems, or if there is no helper, nothing needs to be made executable', async () => {
  expect(await ptyStarterIsRunnable('/nowhere', 'linux', 'x64')).toBe(true)
  expect(await ptyStarterIsRunnable(tempFolder(), 'darwin', 'x64')).toBe(true)
})

import { chmodSync, copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadNodePtyHost, ptyStarterIsRunnable } from '../../../main/environment/process/node-pty-host.ts'
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

it('all output of a terminal is read into one block of memory, to its end, and a program that closed its terminal is not killed', async () => {
  const host = await loadNodePtyHost()
  const blocks = new Set<ArrayBufferLike>()
  let text = ''
  const onBytes = (_stream: string, bytes: Buffer): void => {
    blocks.add(bytes.buffer)
    text += bytes.toString()
  }
  const command = 'seq 1 200000; exec </dev/null >/dev/null 2>&1; sleep 0.3; exit 7'
  const env = { PATH: process.env['PATH'] ?? '' }
  const started = await host?.open({ file: '/bin/sh', args: ['-c', command], cwd: tempFolder(), env, columns: 80, rows: 24, onBytes })
  started?.pause()
  started?.resume()
  expect(await started?.exit).toEqual({ exitCode: 7, signal: null })
  expect([text.split('\r\n').length, text.endsWith('\r\n200000\r\n'), blocks.size]).toEqual([200_001, true, 1])
})

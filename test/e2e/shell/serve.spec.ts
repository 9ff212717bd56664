import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'playwright/test'
import { VERSION } from '../../../main/version.ts'
import { contract } from '../../../shared/api/contract.ts'
import { connect } from '../../../shared/wire/connect.ts'
import { BrowserLike } from '../../http/page-like.ts'
import { ROOT, type StartedServe, startServe } from '../../http/started-serve.ts'

/** Runs the browser shell's entry as a process, with the real app and the built page. No browser is needed. */
let folder: string
const started: StartedServe[] = []
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-serve-'))
})
test.afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const start = (...args: readonly string[]): StartedServe => {
  const one = startServe(...args)
  started.push(one)
  return one
}

test('prints one line with a working address, answers the app’s contract, and exits cleanly on SIGTERM', async () => {
  const { child, ended, address } = start('--data', folder, '--folder', ROOT)
  const line = await address
  expect(line).toMatch(/^Countersign is at http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}$/)
  const { port, hash } = new URL(line.slice('Countersign is at '.length))
  const browser = new BrowserLike(Number(port))
  const wire = await browser.wire(hash)
  const reason = new Promise((resolve) => wire.onClose(resolve))
  const hello = await connect(wire, contract).app.hello({})
  expect(hello).toMatchObject({
    version: VERSION,
    shell: 'browser',
    openFolder: resolve(ROOT),
    capabilities: { folderDialog: false, notifications: false, reveal: false },
  })
  child.kill('SIGTERM')
  expect([await reason, (await ended).code, (await ended).err]).toEqual(['Countersign is ending', 0, ''])
  expect((await ended).out).toBe(`${line}\n`)
})

test('only its owner can read the data folder, and no file in it contains the token', async () => {
  const { child, ended, address } = start('--data', join(folder, 'data'))
  const { hash } = new URL((await address).slice('Countersign is at '.length))
  child.kill('SIGINT')
  await ended
  if (process.platform !== 'win32') expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const holding = files.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(hash.slice(1)))
  expect(holding).toEqual([])
})

test('if the port is in use, the message says what to do, and nothing is created', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const { code, out, err } = await start('--data', join(folder, 'data'), '--port', String(port)).ended
  other.close()
  expect([code, out, err]).toEqual([
    1,
    '',
    `Port ${port} is in use by another program.\nNothing was started or changed.\nChoose another port with --port N, or leave --port out to use any free port.\n`,
  ])
  expect(readdirSync(join(folder, 'data'))).toEqual([])
})

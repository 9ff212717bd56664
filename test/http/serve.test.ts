import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServe } from './started-serve.ts'

/** Tests the messages that the entry prints before it serves. `test/e2e/shell/serve.spec.ts` tests the entry with the built page. */
describe('main/serve.ts', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-serve-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  it('--help lists the options and exits with 0, and a wrong flag is reported with exit code 2', async () => {
    const [help, wrong] = await Promise.all([startServe('--help').ended, startServe('--port', 'x').ended])
    expect([help.code, help.out.includes('--folder DIR'), help.err]).toEqual([0, true, ''])
    expect(wrong).toEqual({ code: 2, out: '', err: '--port must be a number from 0 to 65535, not "x". Try: --help\n' })
  })

  it('a port in use is reported in three lines, with exit code 1, and no session folder is made', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { code, out, err } = await startServe('--data', folder, '--port', String(port)).ended
    other.close()
    // If the page has not been built, that is reported instead. Either message has three lines.
    expect([code, out, err]).toEqual([
      1,
      '',
      expect.stringMatching(/^(?:Port \d+ is in use.*|.*has not been built\.)\nNothing was started or changed\.\n.*\n$/),
    ])
    expect(readdirSync(folder)).toEqual([])
  })
})

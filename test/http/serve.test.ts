import { mkdtempSync, rmSync } from 'node:fs'
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
})

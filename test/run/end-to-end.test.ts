import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { installLine } from './chromium-for-tests.ts'
import { ROOT } from '../../main/bootstrap/places.mjs'
import { tempFolder } from '../bootstrap/temp-folder.ts'

const SUITES = fileURLToPath(new URL('./suites.ts', import.meta.url))
const INSTALL = installLine('linux', true)

/** Runs the end-to-end suite as on a machine that has no browser and cannot install one. */
const script = `
import { runSuites } from ${JSON.stringify(SUITES)}
const none = () => Promise.resolve({ kind: 'none', install: ${JSON.stringify(INSTALL)} })
process.exitCode = await runSuites(process.cwd(), ['e2e'], [], none)
`

/** Creates a clone with three end-to-end tests for the real Playwright. */
function clone(): string {
  const spec = (...titles: readonly string[]): string =>
    `import { test } from 'playwright/test'\n${titles.map((title) => `test('${title}', () => { throw new Error('has run') })`).join('\n')}\n`
  const root = tempFolder({
    'script.mjs': script,
    'package.json': '{"type":"module"}',
    'test/e2e/playwright.config.ts': 'export default { testDir: import.meta.dirname }\n',
    'test/e2e/one.spec.ts': spec('first', 'second'),
    'test/e2e/two.spec.ts': spec('third'),
  })
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  for (const name of ['playwright', 'playwright-core'])
    symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name), 'junction')
  return root
}

const run = (env: NodeJS.ProcessEnv): Promise<{ readonly code: number | null; readonly out: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['script.mjs'], {
      cwd: clone(),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.on('close', (code) => resolve({ code, out }))
  })

describe('end-to-end tests without Chromium', () => {
  test('count as skipped with exit code 0, and the command that installs Chromium is printed', async () => {
    const { code, out } = await run({ CI: '' })
    const lines = out.split('\n')
    expect([code, lines[0], lines.at(-2)]).toEqual([
      0,
      'countersign: No Chromium, so the end-to-end tests are skipped. To run them: sudo apt-get install chromium',
      expect.stringMatching(/^All suites: 0 passed, 0 failed, 3 skipped \(\d+ s\)$/),
    ])
  })

  test('count as a failure in CI', async () => {
    const { code, out } = await run({ CI: 'true' })
    expect([code, out.includes(INSTALL), /^All suites: (.*) \(/m.exec(out)?.[1]]).toEqual([1, true, '0 passed, 1 failed, 3 skipped'])
  })
})

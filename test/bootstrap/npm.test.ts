import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { tempFolder } from './temp-folder.ts'

const module = (name: string): string => JSON.stringify(fileURLToPath(new URL(`../../main/bootstrap/${name}.mjs`, import.meta.url)))

/** Creates a clone in which the real npm can run without a network: its only dependency is a local package with a noisy install script. */
const clone = (locked: object, script: string): string =>
  tempFolder({
    'script.mjs': script,
    'package.json': JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { loud: 'file:loud' } }),
    'package-lock.json': JSON.stringify({ name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true, packages: locked }),
    'loud/package.json': JSON.stringify({ name: 'loud', version: '1.0.0', scripts: { install: 'echo a lot of noise' } }),
  })

const LOCKED = {
  '': { name: 'x', version: '1.0.0', dependencies: { loud: 'file:loud' } },
  loud: { version: '1.0.0', hasInstallScript: true },
  'node_modules/loud': { resolved: 'loud', link: true },
}

const run = (folder: string): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['script.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.on('close', (code) => resolve({ code, out, err }))
  })

describe("npm's output", () => {
  test('is hidden if npm succeeds', async () => {
    const folder = clone(
      LOCKED,
      `
import { writeFileSync } from 'node:fs'
import { npm } from ${module('install/npm')}
import { withProgress } from ${module('say')}
const ending = await withProgress('Installing packages', () => '', () => npm(process.cwd(), ['ci', '--foreground-scripts']))
writeFileSync('ending.json', JSON.stringify(ending))
`,
    )
    expect(await run(folder)).toEqual({ code: 0, out: expect.stringMatching(/^(countersign: Installing packages.*\n)+$/), err: '' })
    const ending = JSON.parse(readFileSync(join(folder, 'ending.json'), 'utf8')) as unknown
    expect(ending).toEqual({ kind: 'done', noise: expect.stringContaining('a lot of noise') })
  })

  test('is shown after a failure, followed by what could not be done', async () => {
    const folder = clone(
      { '': { name: 'x', version: '1.0.0' } },
      `
import { SetupFailure, setUp } from ${module('install/install')}
try {
  await setUp(process.cwd())
} catch (error) {
  if (!(error instanceof SetupFailure)) throw error
  console.error(error.message)
  process.exitCode = 1
}
`,
    )
    const { code, out, err } = await run(folder)
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/^(countersign: Installing packages.*\n)+$/) })
    expect(err).toMatch(/Missing: loud@.* from lock file\n/)
    expect(err).toMatch(/\nnpm could not install the packages \(exit code 1\); the end of its output is above\.\n$/)
    for (const noise of ['Usage:', '--omit', 'A complete log']) expect(err).not.toContain(noise)
  })
})

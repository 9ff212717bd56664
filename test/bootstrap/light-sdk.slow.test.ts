import { spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputOptions, rolldown, type RolldownOptions } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import configs from '../../main/rolldown.config.ts'
import { ROOT } from '../../main/bootstrap/places.mjs'
import { say, startScriptedModel } from '../support/scripted-model.ts'
import { tempFolder } from './temp-folder.ts'

/** Exits with code 77 as soon as anything reads Node's own `Headers`, which loads Node's HTTP client. */
const TRAP = `Object.defineProperty(globalThis, 'Headers', { get() { console.error(new Error('Headers was read').stack); process.exit(77) } })`

/** Builds `run.js` into its own folder, as it is shipped. `without` is the name of a build plugin to leave out. */
async function builtRun(without: string): Promise<string> {
  const folder = tempFolder()
  const [{ output, plugins, ...input }] = configs as unknown as readonly [
    RolldownOptions & { readonly plugins: readonly { readonly name: string }[] },
  ]
  const bundle = await rolldown({ ...input, plugins: plugins.filter(({ name }) => name !== without) })
  await bundle.write({ ...(output as OutputOptions), dir: join(folder, 'dist', 'main') })
  await bundle.close()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return join(folder, 'dist', 'main', 'run.js')
}

async function codeOfRun(entry: string): Promise<number | null> {
  const model = await startScriptedModel(() => say('Done.'))
  onTestFinished(() => model.close())
  const folder = tempFolder()
  const options = ['--provider', 'anthropic', '--model', 'claude-haiku-4-5', '--base-url', model.url, '--mode', 'full']
  const child = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(TRAP)}`,
      entry,
      '--cwd',
      folder,
      '--data',
      join(folder, '.data'),
      ...options,
      'go',
    ],
    { stdio: 'ignore', env: { ...process.env, ANTHROPIC_API_KEY: 'not-a-key' } },
  )
  return new Promise((resolve) => child.on('close', resolve))
}

test("a task of the built app never uses Node's own Headers, even after an update of the SDKs", { timeout: 240_000 }, async () => {
  expect(await codeOfRun(await builtRun(''))).toBe(0)
})

test('with unpatched SDKs, the check notices that Node’s own Headers are used', { timeout: 240_000 }, async () => {
  expect(await codeOfRun(await builtRun('countersign-light-sdk'))).toBe(77)
})

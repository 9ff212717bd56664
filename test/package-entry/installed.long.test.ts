import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { calls, call, say, startScriptedModel } from '../support/scripted-model.ts'
import { emptyProject, NODE, packed, run, temporaryFolder } from './packed-project.ts'

test('npm installs the packed package into an empty project, and the example runs there', async () => {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const tarball = await packed(folder.path)
  const project = join(folder.path, 'host')
  await mkdir(project)
  await emptyProject(project)
  const npm = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball]
  await run('npm', npm, { cwd: project, timeout: 300_000 })
  const model = await startScriptedModel([calls(call('write_file', { file_path: 'greeting.txt', content: 'hello\n' })), say('Mended.')])
  onTestFinished(() => model.close())
  const env = { ...process.env, ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url }
  const { stdout } = await run(NODE, ['agent-example.ts'], { cwd: project, env, timeout: 60_000 })
  expect(stdout.trimEnd()).toMatch(/Mended\.\s+completed$/u)
  expect(await readFile(join(project, 'greeting.txt'), 'utf8')).toBe('hello\n')
})

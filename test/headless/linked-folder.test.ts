import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { say, startScriptedModel } from '../support/scripted-model.ts'
import { runAgent } from './support/agent-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a folder given through a link is as trusted as the folder itself (D-45)', async () => {
  const model = await startScriptedModel([say('Done.')])
  onTestFinished(() => model.close())
  const project = temporaryFolder('project')
  await writeFile(join(project, 'AGENTS.md'), 'Always answer in Latin: canary-instruction.')
  const link = join(temporaryFolder('links'), 'linked')
  await symlink(project, link)
  const env = { ANTHROPIC_API_KEY: 'sk-ant-test-canary', ANTHROPIC_BASE_URL: model.url }
  const outcome = await runAgent(['Look around'], { cwd: link, data: temporaryFolder('data'), env })
  expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.stringify(model.requests)).toContain('canary-instruction')
})

import { spawnSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ScriptedAnswer, ScriptedRequest } from '../../main/providers/rehearsal/scripted-answer.ts'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { ofKind, runAgent } from './support/agent-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MODULES = join(import.meta.dirname, '../../node_modules')
const SOUND = '[">=13 || ^12.11 || ^10.17", 5],'
const BROKEN = '[">=13 || ^12.11 || ^10.18", 5],'

/**
 * A real package with its own tests (MIT, a dependency of the packager), in a temp copy with one number changed. The scripted model finds
 * the mistake from the real outputs of the tools. The package's own tests decide whether the fix is right.
 */
test('the agent fixes a bug in a real repository, and the repository’s own tests pass (R-08)', async () => {
  const cwd = temporaryFolder('repository')
  await cp(join(MODULES, 'node-api-version'), cwd, { recursive: true })
  await cp(join(MODULES, 'semver'), join(cwd, 'node_modules/semver'), { recursive: true })
  const file = join(cwd, 'index.js')
  const original = await readFile(file, 'utf8')
  expect(original).toContain(SOUND)
  await writeFile(file, original.replace(SOUND, BROKEN))
  const ownTests = () => spawnSync(process.execPath, ['./test.js'], { cwd }).status
  expect(ownTests()).toBe(1)

  const model = await startScriptedModel(answer)
  onTestFinished(() => model.close())
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: model.url }
  const outcome = await runAgent(['--approve', 'all', 'The tests fail. Mend it.'], { cwd, data: temporaryFolder('data'), env })

  expect(outcome.code).toBe(0)
  expect(ofKind(outcome, 'TOOL_CALL_END').map((end) => [end.toolName, end.outcome])).toEqual([
    ['shell', 'failed'],
    ['grep', 'done'],
    ['read_file', 'done'],
    ['edit_file', 'done'],
    ['shell', 'done'],
  ])
  expect(await readFile(file, 'utf8')).toBe(original)
  expect(ownTests()).toBe(0)
})

/** Chooses the answer only by the newest results. */
function answer({ body }: ScriptedRequest): ScriptedAnswer {
  const last = JSON.stringify(body.messages.at(-1)?.content ?? '')
  const test = call('shell', { command: `"${process.execPath}" ./test.js` })
  if (last.includes('The tests fail')) return calls(test)
  if (last.includes('AssertionError')) return calls(call('grep', { pattern: '10\\.1[0-9]', path: '.', include: 'index.js' }))
  if (last.includes('10.18') && !last.includes('Edited') && !last.includes('\\tconst'))
    return calls(call('read_file', { file_path: 'index.js' }))
  if (last.includes('nodeApiVersionRanges'))
    return calls(call('edit_file', { file_path: 'index.js', old_string: BROKEN, new_string: SOUND }))
  if (last.includes('Edited')) return calls(test)
  return say('The range of version 5 named 10.18; it begins with 10.17. The tests pass.')
}

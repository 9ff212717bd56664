import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpError, startScriptedModel } from '../support/scripted-model.ts'
import { ofKind, runAgent } from './support/agent-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const REAL = 'sk-ant-REALKEY-0123456789'

test('a key that cannot be sent is reported as invalid, and no part of it reaches output or disk (D-56, fault 64)', async () => {
  const model = await startScriptedModel(() => httpError(401, 'authentication_error', 'never asked'))
  onTestFinished(() => model.close())
  const data = temporaryFolder('data')
  const env = { ANTHROPIC_API_KEY: `${REAL}\nsecond-line-secret`, ANTHROPIC_BASE_URL: model.url }
  const outcome = await runAgent(['x'], { cwd: temporaryFolder('project'), data, env })
  expect(outcome.code).toBe(1)
  expect(ofKind(outcome, 'ERROR').map(({ error }) => error.code)).toEqual(['no_key'])
  expect(model.requests).toHaveLength(0)
  expect(everywhere(outcome, data)).not.toMatch(/REALKEY|second-line-secret/)
})

test('a key that the service echoes is never shown or stored, however the service encodes it', async () => {
  const forms = [REAL, encodeURIComponent(`${REAL}`), Buffer.from(REAL).toString('base64')]
  const model = await startScriptedModel(() => httpError(401, 'authentication_error', `no such key: ${forms.join(' or ')}`))
  onTestFinished(() => model.close())
  const data = temporaryFolder('data')
  const env = { ANTHROPIC_API_KEY: REAL, ANTHROPIC_BASE_URL: model.url }
  const outcome = await runAgent(['x'], { cwd: temporaryFolder('project'), data, env })
  expect(outcome.code).toBe(1)
  for (const form of forms) expect(everywhere(outcome, data)).not.toContain(form)
})

function everywhere({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }, data: string): string {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return stdout + stderr + files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('')
}

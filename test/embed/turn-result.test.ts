import { expect, onTestFinished, test } from 'vitest'
import { type AgentOptions, createAgent } from '../../main/agent-entry.ts'
import { call, calls, message, say, type Script, startScriptedModel } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function sessionWith(script: Script, options: Pick<AgentOptions, 'policy' | 'onApproval'> = {}) {
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const place = { cwd: temporaryFolder('embed'), provider: 'anthropic', baseUrl: model.url, apiKey: 'test-key' } as const
  const agent = await createAgent({ ...place, ...options })
  onTestFinished(() => agent.close())
  return { model, session: await agent.createSession() }
}

test('a message that got no answer has no text, although an earlier message got an answer', async () => {
  const { session } = await sessionWith([say('First.'), message([]), message([])])
  expect(await session.submit('One')).toMatchObject({ ended: 'completed', text: 'First.' })
  expect(await session.submit('Two')).toMatchObject({ ended: 'error', text: '', error: { code: 'empty_answer' } })
})

test('a host that refuses a plan ends the work, as a user does', async () => {
  const propose = call('exit_plan_mode', { title: 'One', steps: [{ title: 'Write', files: ['a.txt'] }] })
  const { model, session } = await sessionWith([calls(propose), say('Never asked for.')], { policy: 'plan', onApproval: () => 'refuse' })
  expect(await session.submit('Plan it')).toMatchObject({ ended: 'stopped' })
  expect(model.requests).toHaveLength(1)
})

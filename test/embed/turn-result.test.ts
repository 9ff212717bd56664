import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '../../main/agent-entry.ts'
import { temporaryFolder } from '../agent/support/rig.ts'
import { message, say, startScriptedModel } from '../support/scripted-model.ts'

test('a message that got no answer has no text, although an earlier message got an answer', async () => {
  const model = await startScriptedModel([say('First.'), message([]), message([])])
  onTestFinished(() => model.close())
  const agent = await createAgent({ cwd: await temporaryFolder('embed'), provider: 'anthropic', baseUrl: model.url, apiKey: 'test-key' })
  onTestFinished(() => agent.close())
  const session = await agent.createSession()
  expect(await session.submit('One')).toMatchObject({ ended: 'completed', text: 'First.' })
  expect(await session.submit('Two')).toMatchObject({ ended: 'error', text: '', error: { code: 'empty_answer' } })
})

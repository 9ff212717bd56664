import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAgent } from '../../../main/agent-entry.ts'
import type { ScriptedRequest } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { httpError, message, say, type ScriptedModel, startScriptedModel, text } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const SUMMARY = /The context is nearly full|Write a summary/
const isSummary = ({ bytes }: ScriptedRequest): boolean => SUMMARY.test(Buffer.from(bytes).toString())
const LONG = 'Remember this. '.repeat(2_000)

/** Opens a session of the entire app with two long messages. `third` answers the third message until a summary has been requested. */
async function afterTwo(provider: 'anthropic' | 'openai-compatible', third: () => ReturnType<typeof say> | ReturnType<typeof httpError>) {
  let summed = 0
  const model: ScriptedModel = await startScriptedModel((request) => {
    if (isSummary(request)) {
      summed++
      return say('They want two things remembered.')
    }
    return request.index < 2 ? say('Noted.', { usage: { input: 7_000 * (request.index + 1) } }) : summed > 0 ? say('Here it is.') : third()
  })
  onTestFinished(() => model.close())
  const dataFolder = temporaryFolder('data')
  const agent = await createAgent({
    cwd: temporaryFolder('project'),
    dataFolder,
    provider,
    apiKey: 'test-key',
    model: provider === 'anthropic' ? 'claude-opus-5-5' : 'm',
    baseUrl: provider === 'anthropic' ? model.url : `${model.url}/v1`,
  })
  onTestFinished(() => agent.close())
  const session = await agent.createSession()
  await session.submit(`First. ${LONG}`)
  await session.submit(`Second. ${LONG}`)
  const ended = await session.submit('Third.')
  const kept = await readFile(join(dataFolder, 'services.json'), 'utf8').catch(() => '')
  await session.close()
  const kinds: string[] = []
  for await (const event of session.events()) kinds.push(event.kind)
  return { ended, summed, kept, requests: model.requests, kinds }
}

describe('a conversation that is too long is summarized and then answered (P5, D-16)', () => {
  test('when the answer stops with model_context_window_exceeded', async () => {
    const { ended, summed, requests } = await afterTwo('anthropic', () =>
      message([text('Here it')], { stopReason: 'model_context_window_exceeded' as never }),
    )
    expect([ended, summed]).toEqual([{ ended: 'completed', text: expect.stringContaining('Here it is.') as string, error: null }, 1])
    expect(Buffer.from(requests.at(-1)?.bytes ?? []).toString()).toContain('They want two things remembered.')
  })

  test.each([
    [
      'with a limit, which is remembered',
      "This model's maximum context length is 12288 tokens. However, you requested 15000 tokens.",
      '12288',
    ],
    ['without a number', 'The input is too long for this model.', null],
  ])('if the service refuses it as too long, %s', async (_, words, limit) => {
    const { ended, summed, kept, requests } = await afterTwo('openai-compatible', () => httpError(400, 'invalid_request_error', words))
    expect([ended, summed]).toEqual([{ ended: 'completed', text: 'Here it is.', error: null }, 1])
    expect(Buffer.from(requests.at(-1)?.bytes ?? []).toString()).toContain('They want two things remembered.')
    if (limit === null) expect(kept).not.toContain('"window": 1')
    else expect(kept).toContain(`"window": ${limit}`)
  })
})

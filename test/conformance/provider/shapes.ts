import { describe, expect, test } from 'vitest'
import { collected, request } from '../../support/collected.ts'
import { call, calls, message, say, type Script, text, thinking } from '../../support/scripted-model.ts'
import type { Bench } from './bench.ts'

const SHAPE = {
  name: 'plan',
  schema: { type: 'object', properties: { steps: { type: 'array', items: { type: 'string' } } }, required: ['steps'] },
}

/** Tests that a request that sets a shape for the answer gets an object of that shape, or a failure that is not retried (L-27). */
export function shapedAnswers(bench: Bench): void {
  const { name, model } = bench.subject
  const shaped = async (script: Script, asked = model) => {
    const { provider, model: server } = await bench.asked(script)
    const brought = await collected(provider.stream(request(asked, { answerShape: SHAPE }), new AbortController().signal))
    return { ...brought, body: JSON.stringify(server.requests[0]?.json) }
  }

  describe(`${name}: answers with a schema (L-27)`, () => {
    test('the service gets the schema, and an object is the answer', async () => {
      const { answer, body } = await shaped([message([thinking('Hm.', 'c2ln'), text('{"steps":["read"]}')])])
      expect(body).toContain(JSON.stringify(SHAPE.schema))
      expect(answer?.parts.at(-1)).toEqual({ kind: 'text', text: '{"steps":["read"]}' })
      expect(answer?.stopReason).toBe('stop')
    })

    test.each(['Here it is: {"steps":[]}', '["read"]', 'null', ''])(
      'an answer that is not an object is rejected and not requested again: %j',
      async (words) => {
        const { failure, partial } = await shaped([words === '' ? message([]) : say(words)])
        expect(failure).toMatchObject({ code: 'no_object', retryable: false })
        expect(partial?.parts).toEqual(words === '' ? [] : [{ kind: 'text', text: words }])
      },
    )

    test('an answer that hit the length limit is rejected, even if it parses', async () => {
      const { failure } = await shaped([say('{"steps":[]}', { stopReason: 'max_tokens' })])
      expect(failure).toMatchObject({ code: 'no_object', retryable: false })
    })

    test('the model may make a call first', async () => {
      const { answer } = await shaped([calls(call('read_file', { file_path: 'a' }, 'id_1'))])
      expect(answer).toMatchObject({ parts: [{ kind: 'tool_call', toolName: 'read_file' }], stopReason: 'tool_calls' })
    })

    test('a call with the name of the schema counts as the object', async () => {
      const { answer } = await shaped([calls(call('plan', '{"steps":["read"]}', 'id_1'))])
      expect(answer).toMatchObject({ parts: [{ kind: 'text', text: '{"steps":["read"]}' }], stopReason: 'stop' })
    })
  })
}

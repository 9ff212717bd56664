import { describe, expect, test } from 'vitest'
import { NO_USAGE } from '../../../shared/session/content.ts'
import type { Turn } from '../../../shared/session/conversation-turns.ts'
import { results } from '../../providers/support/turns.ts'
import { collected, request } from '../../support/collected.ts'
import { call, calls, message, say, thinking } from '../../support/scripted-model.ts'
import type { Bench } from './bench.ts'

/** Tests that every kind of answer is read to its end. */
export function answersWhole(bench: Bench): void {
  describe(`${bench.subject.name}: answers`, () => {
    test('text is streamed, and is complete at the end (L-15)', async () => {
      const { text: shown, answer } = await bench.answerTo([say('One two three', { usage: { input: 7, output: 3, cacheRead: 5 } })])
      expect(shown).toBe('One two three')
      expect(answer).toMatchObject({
        parts: [{ kind: 'text', text: 'One two three' }],
        stopReason: 'stop',
        usage: { input: 7, output: 3, cacheRead: 5, reasoning: 0 },
      })
    })

    test('parallel calls keep their order, their ids and their arguments', async () => {
      const { answer } = await bench.answerTo([calls(call('a', '{"x":1}', 'id_1'), call('b', '{}', 'id_2'), call('a', '{"x":2}', 'id_3'))])
      expect(answer?.parts).toEqual([
        { kind: 'tool_call', toolCallId: 'id_1', toolName: 'a', argsText: '{"x":1}' },
        { kind: 'tool_call', toolCallId: 'id_2', toolName: 'b', argsText: '{}' },
        { kind: 'tool_call', toolCallId: 'id_3', toolName: 'a', argsText: '{"x":2}' },
      ])
      expect(answer?.stopReason).toBe('tool_calls')
    })

    test.runIf(bench.subject.rawArguments)('the raw text of arguments arrives unchanged, even if it is not JSON', async () => {
      const { answer } = await bench.answerTo([calls(call('a', '{"x": 1.0}', 'id_1'), call('b', '', 'id_2'), call('a', '{"x":', 'id_3'))])
      expect(answer?.parts).toEqual([
        { kind: 'tool_call', toolCallId: 'id_1', toolName: 'a', argsText: '{"x": 1.0}' },
        { kind: 'tool_call', toolCallId: 'id_2', toolName: 'b', argsText: '' },
        { kind: 'tool_call', toolCallId: 'id_3', toolName: 'a', argsText: '{"x":' },
      ])
      expect(answer?.stopReason).toBe('tool_calls')
    })

    test('fifty calls in one answer all arrive', async () => {
      const blocks = Array.from({ length: 50 }, (_, index) => call('read_file', { file_path: `f${index}` }, `id_${index}`))
      const { answer } = await bench.answerTo([calls(...blocks)])
      expect(answer?.parts.map((part) => part.kind === 'tool_call' && part.toolCallId)).toEqual(blocks.map((_, index) => `id_${index}`))
    })

    test('an empty answer is an answer without parts', async () => {
      const { answer } = await bench.answerTo([message([])])
      expect(answer).toMatchObject({ parts: [], stopReason: 'stop' })
    })

    test('an answer with only reasoning ends like any other', async () => {
      const { answer, thinking: shown } = await bench.answerTo([message([thinking('Hm.', 'abc')])])
      expect(shown).toBe('Hm.')
      expect(answer?.parts).toEqual([bench.subject.thinkingPart('Hm.', 'abc')])
    })

    test('reasoning is sent back unchanged with the next request, and never to another model (L-11)', async () => {
      const redacted = { kind: 'redacted', data: 'cmVkYWN0ZWQ=' } as const
      const answered = message([thinking('Hm-hm.', 'c2lnbmF0dXJl'), redacted, call('t', '{"x":1}', 'id_1')])
      const { model, provider } = await bench.asked([answered, say('two'), say('three')])
      const ask = (asked: ReturnType<typeof request>) => collected(provider.stream(asked, new AbortController().signal))
      const first = await ask(request(bench.subject.model))
      const [hello] = request('').turns
      const own = { provider: provider.id, model: bench.subject.model, usage: NO_USAGE, responseId: null }
      const said: Turn = { kind: 'assistant', content: first.answer?.parts ?? [], ...own }
      const turns = [...(hello ? [hello] : []), said, results(['id_1', 'ok'])]
      await ask(request(bench.subject.model, { turns }))
      await ask(request(`${bench.subject.model}-other`, { turns }))
      const bodies = model.requests.map(({ bytes }) => new TextDecoder().decode(bytes))
      const found = bodies.map((body) => bench.subject.opaque.map((text) => body.includes(text)))
      expect(found).toEqual([
        [false, false],
        [true, true],
        [false, false],
      ])
    })

    test('the service’s rate limits come with the start (L-28)', async () => {
      const headers = {
        'content-type': 'text/event-stream',
        'x-ratelimit-limit-requests': '500',
        'x-ratelimit-remaining-requests': '499',
        'anthropic-ratelimit-tokens-remaining': '1000',
        'x-ratelimit-reset-requests': '6m0s',
      }
      const { events } = await bench.answerTo([{ kind: 'raw', headers, body: bench.frames(say('x')) }])
      const rateLimits = { requests: { limit: 500, remaining: 499 }, tokens: { limit: null, remaining: 1_000 } }
      expect(events[0]).toEqual({ kind: 'start', rateLimits })
    })

    test('two requests one after the other use one connection', async () => {
      const { model, provider } = await bench.asked([say('one'), say('two')])
      await collected(provider.stream(request(bench.subject.model), new AbortController().signal))
      await collected(provider.stream(request(bench.subject.model), new AbortController().signal))
      expect(model.requests[1]?.connection).toBe(model.requests[0]?.connection)
    })
  })
}

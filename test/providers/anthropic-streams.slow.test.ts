import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ModelAnswer, ProviderEvent } from '../../main/agent/ports/provider.ts'
import { type Ending, LONGEST_ANSWER, readAnswer } from '../../main/providers/answer/read-answer.ts'
import { AnthropicAnswer } from '../../main/providers/anthropic/anthropic-answer.ts'
import { anthropicFrames } from '../../main/providers/rehearsal/anthropic-frames.ts'
import type { StopReason } from '../../shared/session/events.ts'
import { call, message, text } from '../support/scripted-model.ts'
import { namedFrame } from './support/frames.ts'

const FOLDER = new URL('../fixtures/streams/anthropic/', import.meta.url)
const fixture = (name: string): Uint8Array => readFileSync(new URL(name, FOLDER))

interface Read {
  readonly ending: Ending | null
  readonly answer: ModelAnswer
  readonly events: string
}

async function read(...chunks: readonly Uint8Array[]): Promise<Read> {
  const builder = new AnthropicAnswer()
  const events: ProviderEvent[] = []
  const bytes = (async function* () {
    yield* chunks
  })()
  let ending: Ending | null = null
  for await (const batch of readAnswer(bytes, builder, { service: 'Anthropic', host: 'api.example', key: null })) {
    expect(ending).toBeNull()
    events.push(...batch.events)
    ending = batch.ending
  }
  return { ending, answer: builder.answer(), events: joined(events) }
}

/** Returns the text that is shown, however it was split into pieces. */
function joined(events: readonly ProviderEvent[]): string {
  return events.map((event) => ('text' in event ? event.text : '')).join('')
}

const EXPECTED: Readonly<Record<string, ModelAnswer>> = {
  'whole-in-start.sse': {
    parts: [
      { kind: 'text', text: 'All at once.' },
      { kind: 'tool_call', toolCallId: 'toolu_w' as never, toolName: 'glob', argsText: '{"pattern":"*.ts"}' },
    ],
    stopReason: 'tool_calls',
    responseId: 'msg_w',
    usage: { input: 12, output: 9, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  },
  'started-twice.sse': {
    parts: [{ kind: 'text', text: 'Begun again.' }],
    stopReason: 'stop',
    responseId: 'msg_2',
    usage: { input: 70, output: 4, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  },
  'usage-revised.sse': {
    parts: [{ kind: 'text', text: 'x' }],
    stopReason: 'stop',
    responseId: 'msg_u',
    usage: { input: 100, output: 38, cacheRead: 600, cacheWrite: 20, reasoning: 30 },
  },
  'between-tools.sse': {
    parts: [
      { kind: 'opaque', data: { type: 'redacted_thinking', data: 'EmwKAhgB+/=' } },
      { kind: 'thinking', text: 'Between the calls.', signature: 'ErUBCkYI' },
      { kind: 'tool_call', toolCallId: 'toolu_b' as never, toolName: 'grep', argsText: '{"pattern": "a|b"}' },
    ],
    stopReason: 'tool_calls',
    responseId: 'msg_b',
    usage: { input: 3, output: 25, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  },
}

/** Which part of `wire-formats.md` each stream shows. */
const SHOWS: Readonly<Record<string, string>> = {
  'whole-in-start.sse': 'the whole answer and its stop reason in message_start, W-14',
  'started-twice.sse': 'a second message_start in the middle drops what came before it, W-15',
  'usage-revised.sse': 'input_tokens of message_delta replaces the first figure, W-08, W-16',
  'between-tools.sse': 'reasoning between calls',
}

describe('streams from real services and proxies', () => {
  test('every fixture has an expectation', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(EXPECTED).sort())
  })

  test.each(Object.entries(EXPECTED).map(([name, expected]) => [name, SHOWS[name], expected] as const))(
    '%s (%s)',
    async (name, _, expected) => {
      const { ending, answer } = await read(fixture(name))
      expect([ending, answer]).toEqual([{ kind: 'complete' }, expected])
    },
  )

  test.each(Object.keys(EXPECTED))('%s gives the same answer if it is split at any byte', async (name) => {
    const bytes = fixture(name)
    const whole = await read(bytes)
    for (let at = 1; at < bytes.byteLength; at++) {
      const torn = await read(bytes.subarray(0, at), bytes.subarray(at))
      if (JSON.stringify(torn) !== JSON.stringify(whole)) expect([at, torn]).toEqual([at, whole])
    }
  })
})

describe('every end of an answer has a defined meaning (fault 48, L-13)', () => {
  test.each<[string | null, StopReason]>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool_calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'pause'],
    ['something_new', 'other'],
    [null, 'other'],
  ])('%s is %s', async (stop_reason, expected) => {
    const start = namedFrame({ type: 'message_start', message: { id: 'm', content: [], usage: {} } })
    const end = namedFrame({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } })
    const { answer, ending } = await read(Buffer.from(start + end + namedFrame({ type: 'message_stop' })))
    expect([answer.stopReason, ending?.kind]).toEqual([expected, 'complete'])
  })

  test.each([
    ['an end event before the start event', [{ type: 'message_stop' }]],
    ['text outside a block', [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }]],
    ['arguments outside a call', [{ type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{' } }]],
    ['an event that is a number', [7]],
    [
      'a text delta that is not text',
      [
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: { __proto__: null } } },
      ],
    ],
  ])('%s is malformed', async (_, events) => {
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    const { ending } = await read(Buffer.from(body))
    expect(ending).toMatchObject({ kind: 'failed', failure: { code: 'malformed' } })
  })

  test('a call whose id is missing or too long gets a stable id', async () => {
    const block = (id: unknown, index: number) =>
      namedFrame({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: 't', input: {} } })
    const start = namedFrame({ type: 'message_start', message: { id: 'msg_7', content: [] } })
    const body = Buffer.from(start + block('', 0) + block('x'.repeat(300), 1) + namedFrame({ type: 'message_stop' }))
    const { answer } = await read(body)
    expect(answer.parts.map((part) => part.kind === 'tool_call' && part.toolCallId)).toEqual(['msg_7_0', 'msg_7_1'])
  })
})

describe('an incomplete answer counts as interrupted, is not requested again, and keeps its text', () => {
  const start = anthropicFrames(message([text('')]), 'm', '1').slice(0, 2)
  const delta = (words: string): string => namedFrame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } })
  const argument = (json: string): string =>
    namedFrame({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: json } })
  const thousand = 'y'.repeat(1_000)
  const endless: Readonly<Record<string, string>> = {
    'text in short pieces': delta(thousand).repeat(100),
    'an event without an end': thousand.repeat(1_000),
    'signs of life': ': ping\n\n'.repeat(100_000),
    'arguments of a call': argument(thousand).repeat(100),
  }
  test.each(Object.keys(endless))('%s', async (name) => {
    const piece = Buffer.from(endless[name] ?? '')
    const first =
      name === 'arguments of a call'
        ? anthropicFrames(message([call('write', '{}')]), 'm', '1').slice(0, 2)
        : name === 'an event without an end'
          ? [...start, 'data: ']
          : start
    const builder = new AnthropicAnswer()
    let taken = 0
    const bytes = (async function* () {
      yield Buffer.from(first.join(''))
      for (;;) {
        taken += piece.length
        if (taken > 2 * LONGEST_ANSWER.bytes) throw new Error('Nobody broke it off.')
        yield piece
      }
    })()
    let ending: Ending | null = null
    for await (const batch of readAnswer(bytes, builder, { service: 'Anthropic', host: 'api.example', key: null })) ending = batch.ending
    expect(ending).toMatchObject({ kind: 'failed', failure: { code: 'malformed', retryable: false } })
    if (name === 'text in short pieces') {
      const [part] = builder.answer('error').parts
      expect(part?.kind === 'text' && part.text.length).toBeGreaterThanOrEqual(LONGEST_ANSWER.chars)
      expect(taken).toBeLessThan(2 * LONGEST_ANSWER.chars)
    }
  })
})

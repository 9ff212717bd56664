import { describe, expect, test } from 'vitest'
import { FORMATS } from '../../support/wire-formats/formats.ts'
import { call, message, say, text } from '../../support/scripted-model.ts'
import { decode, torn } from '../support/decoded.ts'

/** Tests the section "All" of wire-formats.md. */
describe.each(FORMATS)('$name', ({ name, frames: framesOf, error }) => {
  const body = (answer: Parameters<typeof framesOf>[0]): string => framesOf(answer, 'm', '1').join('')

  test('a stream that ends between CR and LF counts as cut off: its text is kept and no call is executed (W-03)', async () => {
    const crlf = Buffer.from(body(message([text('I look.'), call('read_file', { file_path: 'a' }, 'c1')])).replaceAll(/\r?\n/g, '\r\n'))
    const whole = await decode(name, [crlf])
    expect([whole.message.text, whole.toolCalls[0]?.executable, whole.error]).toEqual(['I look.', true, null])
    for (let at = crlf.indexOf('\r\n'); at !== -1 && at < crlf.byteLength - 4; at = crlf.indexOf('\r\n', at + 1)) {
      for (const end of ['cut', 'clean'] as const) {
        const { error: found, message: kept, toolCalls } = await decode(name, [crlf.subarray(0, at + 1)], { end })
        const isWhole = end === 'clean' && found === null
        // If the stream ends cleanly after the event that completes the answer, the rest of the stream may be missing.
        if (isWhole) expect([toolCalls, kept]).toEqual([whole.toolCalls, whole.message])
        else expect([found?.code, toolCalls.some(({ executable }) => executable)]).toEqual(['cut_off', false])
        expect('I look.'.startsWith(kept.text)).toBe(true)
      }
    }
  })

  test('a stream split between CR and LF is complete (W-03)', async () => {
    const crlf = Buffer.from(body(say('One two')).replaceAll(/\r?\n/g, '\r\n'))
    const at = crlf.indexOf('\r\n') + 1
    expect(await decode(name, [crlf.subarray(0, at), crlf.subarray(at)])).toMatchObject({ message: { text: 'One two' }, error: null })
  })

  test('a stream that ends without its terminal event counts as cut off: its text is kept and no call is executed (W-04)', async () => {
    const pieces = framesOf(message([text('I look.'), call('read_file', { file_path: 'a' }, 'c1')]), 'm', '1')
    // All frames except those that mark the end of the answer.
    const without = pieces.filter(
      (frame) => !/message_delta|message_stop|response\.completed|finish_?reason":"|finishReason|\[DONE\]/.test(frame),
    )
    const cut = await decode(name, without.join(''))
    expect(cut).toMatchObject({ message: { text: 'I look.' }, stopReason: 'error', error: { code: 'cut_off', retryAfterMs: null } })
    expect(cut.toolCalls.map(({ executable }) => executable)).toEqual([false])
  })

  // Gemini sends arguments as objects, so arguments that were cut off are decoded as nothing or as `{`.
  const raw = (args: string): string => (name === 'gemini' && args !== '' ? '{' : args)

  test.each(['', '{"file_path":"a","content":"half', '{"file_path"'])(
    'if an answer reaches the token limit inside a call, nothing is executed: %j (W-06)',
    async (args) => {
      const answer = message([text('So:'), call('write_file', args, 'c1')], { stopReason: 'max_tokens' })
      const { stopReason, toolCalls, error } = await decode(name, body(answer))
      expect([stopReason, error]).toEqual(['length', null])
      expect(toolCalls).toEqual([{ id: 'c1', name: 'write_file', args: raw(args), executable: false }])
    },
  )

  test.each(['{"a":', '[1]', '7', 'null', '{"__proto__":{"x":1}}'])(
    'arguments that are not a complete object are not executed, whatever the stop reason says: %s (W-05)',
    async (args) => {
      const { stopReason, toolCalls } = await decode(name, body(message([call('t', args, 'c1')])))
      expect([stopReason, toolCalls.map(({ executable }) => executable)]).toEqual(['tool_calls', [false]])
    },
  )

  test.each([129, 8_000])('arguments nested %i levels deep are not executed, and text and usage are kept', async (levels) => {
    const args = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const given =
      name === 'gemini' ? body(message([text('So:'), call('t', '{"deep":1}', 'c1')])) : body(message([text('So:'), call('t', args, 'c1')]))
    const { message: kept, toolCalls, usage, error } = await decode(name, given.replace('{"deep":1}', args))
    expect([kept.text, toolCalls.map(({ name: tool, executable }) => [tool, executable])]).toEqual(['So:', [['t', false]]])
    expect([usage.input, usage.output, error]).toEqual([100, 20, null])
  })

  test('arguments nested to the maximum depth are executed', async () => {
    const args = `${'{"a":'.repeat(128)}1${'}'.repeat(128)}`
    const { toolCalls } = await decode(name, body(message([call('t', args, 'c1')])))
    expect(toolCalls).toEqual([{ id: 'c1', name: 't', args: JSON.parse(args) as unknown, executable: true }])
  })

  test('frames that are empty, padded with spaces or only keep-alives change nothing (fault 41)', async () => {
    const pieces = framesOf(message([text('One two'), call('ls', {}, 'c1')]), 'm', '1')
    const between = [
      'data: \n\n',
      'data:\n\n',
      'event: keepalive\ndata: ok\n\n',
      'event: ping\ndata: {}\n\n',
      'event: heartbeat\ndata: -\n\n',
      ':\n\n',
    ]
    const full = pieces.flatMap((piece) => [...between, piece.replace(/data: (.*?)(\r?\n)/, 'data:  $1  $2')]).join('') + between.join('')
    expect(await decode(name, full)).toEqual(await decode(name, body(message([text('One two'), call('ls', {}, 'c1')]))))
  })

  test.each([
    ['{"message":"Upstream died","code":500}', 'server', 'Upstream died'],
    ['{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}', 'rate_limit', 'Slow down'],
    ['{"error":"Slow down"}', 'unknown', 'Slow down'],
    ['"Out of memory"', 'unknown', 'Out of memory'],
    ['["Out of memory"]', 'unknown', 'gave an unexpected answer'],
    ['Out of memory', 'unknown', 'Out of memory'],
  ])('an error frame is reported as an error, with its own text: %s (W-11)', async (data, code, words) => {
    const [first = ''] = framesOf(say('One'), 'm', '1')
    const { error: found, stopReason } = await decode(name, `${first}event: error\ndata: ${data}\n\n`)
    expect([found?.code, found?.message.includes(words), stopReason]).toEqual([code, true, 'error'])
  })

  test('reported input excludes cached tokens, and output includes reasoning (W-09, L-14)', async () => {
    const { usage } = await decode(name, body(say('x', { usage: { input: 70, output: 50, cacheRead: 30, thinking: 20 } })))
    expect(usage).toEqual({ input: 70, output: 50, cacheRead: 30, cacheWrite: 0, reasoning: 20 })
  })

  test('an HTML page with status 200 is reported as a page (W-12)', async () => {
    const page = '<!doctype html><title>Sign in</title>'
    const decoded = await decode(name, page, { headers: { 'content-type': 'text/html' } })
    expect([decoded.error?.code, decoded.stopReason]).toEqual(['malformed', 'error'])
    expect(decoded.error?.message).toContain('Sign in')
  })

  test('a 401 that echoes the key is reported without it (W-10, W-13)', async () => {
    const said = JSON.stringify(error(401, name === 'gemini' ? 'UNAUTHENTICATED' : 'invalid_api_key', 'Bad key sk-live-0123456789abcdef'))
    const decoded = await decode(name, said, { status: 401, headers: { 'content-type': 'application/json' } })
    expect(decoded.error?.code).toBe('authentication')
    expect(JSON.stringify(decoded)).not.toContain('0123456789')
  })

  test('an empty body with a success status counts as cut off', async () => {
    expect((await decode(name, '')).error?.code).toBe('cut_off')
    expect((await decode(name, '', { end: 'cut' })).error?.code).toBe('cut_off')
  })

  test('a character split between two events is put together again', async () => {
    const bytes = Buffer.from(body(say('👩‍👩‍👧')))
    expect((await decode(name, torn(bytes, 3))).message.text).toBe('👩‍👩‍👧')
  })
})

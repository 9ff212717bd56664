import { describe, expect, test } from 'vitest'
import { FORMATS } from '../../../main/providers/rehearsal/wire-formats.ts'
import { call, message, text, thinking } from '../../support/scripted-model.ts'
import { decode, torn } from '../support/decoded.ts'

/** Every kind of part; ids such as services give. */
const RICH = message([
  thinking('Hm 日', 'c2ln'),
  text('Größe 👩‍👧 "q" \\'),
  call('read_file', '{"file_path":"a\\u00e9.ts","limit":2}', 'call_a'),
  call('grep', { pattern: '日|👍' }, 'call_b'),
])

const LONG = message([text('wörter und 字 '.repeat(600)), call('write_file', { file_path: 'a', content: 'ä'.repeat(1_500) }, 'call_c')])

describe.each(FORMATS)('$name', { timeout: 240_000 }, ({ name, frames }) => {
  const bytes = Buffer.from(frames(RICH, 'm', '1').join(''))

  test('it is what it says: text, reasoning and calls, whatever events they came in (L-16, AC8.3, AC8.4)', async () => {
    expect(await decode(name, [bytes])).toMatchObject({
      message: { text: 'Größe 👩‍👧 "q" \\', reasoning: 'Hm 日' },
      toolCalls: [
        { id: 'call_a', name: 'read_file', args: { file_path: 'aé.ts', limit: 2 }, executable: true },
        { id: 'call_b', name: 'grep', args: { pattern: '日|👍' }, executable: true },
      ],
      stopReason: 'tool_calls',
      usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      error: null,
    })
  })

  test('torn into two at any byte, and byte by byte, it is the same', async () => {
    const whole = await decode(name, [bytes])
    for (let at = 1; at < bytes.byteLength; at++) expect(await decode(name, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
    expect(await decode(name, torn(bytes, 1))).toEqual(whole)
  })

  test('broken after any byte it is cut off: nothing is carried out, and no text is lost (W-01, W-02, W-07)', async () => {
    const whole = await decode(name, [bytes])
    for (let at = 0; at < bytes.byteLength; at++) {
      const cut = await decode(name, [bytes.subarray(0, at)], { end: 'cut' })
      if (cut.error === null) expect([cut, at > bytes.byteLength - 5]).toEqual([whole, true])
      else expect([cut.error.code, cut.toolCalls.some(({ executable }) => executable)]).toEqual(['cut_off', false])
      expect(whole.message.text.startsWith(cut.message.text)).toBe(true)
    }
  })

  test('a longer one torn into pieces of any of these sizes is the same', async () => {
    const long = Buffer.from(frames(LONG, 'm', '1').join(''))
    expect(long.byteLength).toBeGreaterThan(20_000)
    const whole = await decode(name, [long])
    expect(whole).toMatchObject({ stopReason: 'tool_calls', error: null })
    for (const size of [1, 7, 64, 1_021, 4_096, 16_384]) expect(await decode(name, torn(long, size))).toEqual(whole)
  })
})

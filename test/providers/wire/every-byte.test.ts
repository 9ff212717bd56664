import { describe, expect, test } from 'vitest'
import { FORMATS } from '../../../main/providers/rehearsal/wire-formats.ts'
import { call, message, text } from '../../support/scripted-model.ts'
import { decode, torn } from '../support/decoded.ts'
import { expectCutOffWhenBroken, expectSameWhenTorn, richBytes } from './torn-streams.ts'

/** How far apart the places are: their order in a frame changes from frame to frame; all of them are in `every-byte.long.test.ts`. */
const STEP = 7

const LONG = message([text('wörter und 字 '.repeat(600)), call('write_file', { file_path: 'a', content: 'ä'.repeat(1_500) }, 'call_c')])

describe.each(FORMATS)('$name', { timeout: 240_000 }, (format) => {
  const { name, frames } = format

  test('it is what it says: text, reasoning and calls, whatever events they came in (L-16, AC8.3, AC8.4)', async () => {
    expect(await decode(name, [richBytes(format)])).toMatchObject({
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

  test('torn into two at places seven bytes apart, and byte by byte, it is the same', () => expectSameWhenTorn(format, STEP))

  test('broken at places seven bytes apart it is cut off: nothing is carried out, and no text is lost (W-01, W-02, W-07)', () =>
    expectCutOffWhenBroken(format, STEP))

  test('a longer one torn into pieces of any of these sizes is the same', async () => {
    const long = Buffer.from(frames(LONG, 'm', '1').join(''))
    expect(long.byteLength).toBeGreaterThan(20_000)
    const whole = await decode(name, [long])
    expect(whole).toMatchObject({ stopReason: 'tool_calls', error: null })
    for (const size of [1, 7, 64, 1_021, 4_096, 16_384]) expect(await decode(name, torn(long, size))).toEqual(whole)
  })
})

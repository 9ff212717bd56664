import { describe, expect, test } from 'vitest'
import { FORMATS } from '../../support/wire-formats/formats.ts'
import { decode } from '../support/decoded.ts'
import { expectCutOffWhenBroken, expectSameInPieces, expectSameWhenTorn, richBytes } from './torn-streams.ts'

/**
 * The distance in bytes between two tested positions. The positions fall at different places in different frames. `every-byte.long.test.ts`
 * tests every byte.
 */
const STEP = 7

describe.each(FORMATS)('$name', { timeout: 240_000 }, (format) => {
  test('text, reasoning and calls are read correctly from the format’s own events (L-16, AC8.3, AC8.4)', async () => {
    expect(await decode(format.name, [richBytes(format)])).toMatchObject({
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

  test('an answer is read the same if it is split in two at any of many positions, seven bytes apart, or sent byte by byte', () =>
    expectSameWhenTorn(format, STEP))

  test('an answer interrupted at any of many positions, seven bytes apart, counts as cut off: nothing is executed, and no text is lost (W-01, W-02, W-07)', () =>
    expectCutOffWhenBroken(format, STEP))

  test('a longer answer is read the same in chunks of five sizes from 7 bytes to 16 KB', () =>
    expectSameInPieces(format, [7, 64, 1_021, 4_096, 16_384]))
})

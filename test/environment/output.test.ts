import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText, unfinishedLength } from '../../main/environment/output/control-sequences.ts'
import { createHeadTail } from '../../main/environment/output/head-tail.ts'
import { withoutOverwritten } from '../../main/environment/output/without-overwritten.ts'
import { ScreenRecorder } from '../../main/environment/output/screen-recorder.ts'
import { ScreenText } from '../../main/environment/output/screen-text.ts'
import { drawn } from './drawn.ts'

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })

describe('head and tail', () => {
  it('contain short text completely, split no character, and say how many characters are omitted', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.nat(40), fc.nat(40), (pieces, headLength, tailLength) => {
        const all = pieces.join('')
        const kept = createHeadTail(headLength, tailLength)
        for (const piece of pieces) kept.push(piece)
        const { text, omitted, shorterBy } = kept.kept()
        if (omitted === 0) {
          expect(text).toBe(all)
          return
        }
        const [, head = '', number, tail = ''] =
          /^([^]*?)\n?\[\.\.\. (\d+) characters of output omitted here \.\.\.\]\n([^]*)$/.exec(text) ?? []
        const start = all.startsWith(`${head}\n`) && head.length < headLength ? `${head}\n` : head
        expect([all.startsWith(start), all.endsWith(tail), Number(number)]).toEqual([true, true, omitted])
        expect(start.length + omitted + tail.length).toBe(all.length)
        expect(text.length + shorterBy).toBe(all.length)
        expect([start.length <= headLength, tail.length <= tailLength, text.isWellFormed()]).toEqual([true, true, true])
      }),
    )
  })

  it('give the same text however the input is split', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(60)), (text, cuts) => {
        const whole = createHeadTail(10, 10)
        whole.push(text)
        const pieces = createHeadTail(10, 10)
        for (const piece of split(text, cuts)) pieces.push(piece)
        expect(pieces.kept()).toEqual(whole.kept())
      }),
    )
  })
})

describe('append-only output', () => {
  it.each([
    ['a\tb\r\nc\n', 'a\tb\nc\n'],
    ['\x1b[1;31mred\x1b[m', 'red'],
    ['\x1b]0;title\x07text\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'textlink'],
    ['grep \x1b[01;31m\x1b[Kmatch\x1b[m\x1b[K', 'grep match'],
    ['\x07\x00bell', 'bell'],
    ['\x1b[?25l\x1b[?2004hx\x1b[?25h', 'x'],
  ])('%j is text', (raw, text) => {
    expect(plainText(raw)).toBe(text)
  })

  it.each(['a\rb', 'a\bb', '\x1b[1Ax', '\x1b[2J', '\x1b[10Gx', '\x1b[?1049h', '\x9b1A', '\x0eq\x0f', '\x1b7', '\x1b]0;never closed'])(
    '%j is not append-only and needs an emulator',
    (raw) => {
      expect(plainText(raw)).toBe(null)
    },
  )

  it.each([
    ['text\r', 1],
    ['text\x1b', 1],
    ['text\x1b[3', 3],
    ['text\x1b]0;ti', 6],
    ['text\x1b]0;ti\x1b', 7],
    ['text\x1b(', 2],
    ['text\x1b[31m', 0],
    ['text', 0],
  ])('with %j the last %i characters are incomplete', (raw, length) => {
    expect(unfinishedLength(raw)).toBe(length)
  })
})

const SIZE = { columns: 20, rows: 5 }
const KEEP = { head: 1_000_000, tail: 1_000_000 }

async function rendered(pieces: readonly string[], convertEol = true): Promise<string> {
  const screen = new ScreenText({ size: SIZE, convertEol, keep: KEEP })
  for (const piece of pieces) screen.write(piece)
  return (await screen.end()).text
}

function split(text: string, cuts: readonly number[]): string[] {
  const points = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]
  return points.slice(1).map((point, index) => text.slice(points[index], point))
}

describe('T-21: rendered text', () => {
  it.each([
    ['a carriage return starts overwriting the line', 'abcdef\rxyz\n', 'xyzdef\n'],
    ['erasing removes the rest of the line', 'abcdef\r\x1b[Kxyz\n', 'xyz\n'],
    ['backspaces', 'abc\b\bX\n', 'aXc\n'],
    ['moving up reaches earlier append-only lines', 'one\ntwo\nthree\n\x1b[2A\rTWO\x1b[2B\rend', 'one\nTWO\nthree\nend'],
    ['tabs stay tabs in append-only lines', '1%\r2%\na\tb\n\x1b[31mc\x1b[0m\t\td\r\n\te', '2%\na\tb\nc\t\td\n\te'],
    ['a tab in an overwritten line moves to the next tab column', 'col\t1\rcol\t2\na\tb\n', 'col     2\na\tb\n'],
    ['a spinner', '|\b/\b-\bdone\n', 'done\n'],
    ['text of the alternate screen is removed', 'before\n\x1b[?1049h\x1b[2Jeditor\x1b[?1049lafter\n', 'before\nafter\n'],
    [
      'clearing the scrollback does not lose lines that scrolled out',
      `${'line\n'.repeat(9)}\x1b[3J\x1b[1Aend\n`,
      `${'line\n'.repeat(8)}ende\n`,
    ],
    ['a repeat count that would use up all memory is ignored', 'a\x1b[2147483647b\n', 'a\n'],
    ['wide characters that wrap leave no gap', `\x1b[1G${'界'.repeat(30)}x\n`, `${'界'.repeat(30)}x\n`],
    ['an odd column before a wide character leaves no gap', `\x1b[1Ga${'界'.repeat(30)}\n`, `a${'界'.repeat(30)}\n`],
  ])('%s', async (_name, raw, text) => {
    expect(await rendered([raw])).toBe(text)
  })

  const word = fc.stringMatching(/^[a-z ]{0,30}$/)
  const line = fc.oneof(
    word.map((text) => `${text}\n`),
    word.map((text) => `\x1b[32m${text}\x1b[0m\n`),
    fc.tuple(word, word).map(([one, other]) => `${one}\t${other}x\n`),
    fc.tuple(word, word).map(([one, other]) => `${one}\r\x1b[K${other}\n`),
    fc.tuple(fc.integer({ min: 1, max: 3 }), word).map(([up, text]) => `\x1b[${up}A\r\x1b[2K${text.slice(0, 15)}\x1b[${up}B\r`),
    fc.constant('BLOCK'),
  )

  it('is the same however the output is split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(9000), { maxLength: 8 }), async (lines, cuts) => {
        const raw = lines.join('').replaceAll('BLOCK', 'plain text that goes on\n'.repeat(300))
        expect(await rendered(split(raw, cuts))).toBe(await rendered([raw]))
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['after another line', ['ab\n', 'a'.repeat(117), `\r${'b'.repeat(30)}`], `ab\n${'a'.repeat(100)}${'b'.repeat(30)}`],
    ['in two pieces of output', ['a'.repeat(7), 'a'.repeat(20_010), '\rbbb'], `${'a'.repeat(20_000)}bbb${'a'.repeat(14)}`],
    ['above another line', [`${'a'.repeat(119)}\nc\n`, '\x1b[2A\rbbb'], `${'a'.repeat(100)}bbb${'a'.repeat(16)}\nc`],
    ['with a new end at a different column', ['a'.repeat(30), '\r\x1b[Kab', '\rabc\x1b[K\r\r'], `${'a'.repeat(20)}\nabc`],
  ])('a line longer than a row is rendered correctly when its end is overwritten: %s', async (_, pieces, text) => {
    expect([await rendered(pieces), await rendered([pieces.join('')])]).toEqual([text, text])
  })

  it('is the same even if overwritten text is never drawn', async () => {
    const state = fc.oneof(
      fc.stringMatching(/^[a-z]{0,9}$/),
      fc.stringMatching(/^[a-z]{30,90}$/),
      fc.constantFrom(
        '\x1b[Kab',
        '\x1b[2Kabcdef',
        'abc\x1b[K',
        '\x1b[31mred\x1b[0m',
        '界界',
        'a\tb',
        'ab\b\bX',
        '\x1b[1Aup',
        'ab\x1b[1K',
        '',
        '\x1b[5Gx',
        '\x1b[4hi',
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(state, fc.constantFrom('\r', '\r', '\r', '\n', '\r\n', '')), { maxLength: 25 }),
        async (states) => {
          const written = states.flat().join('')
          for (const convertEol of [true, false]) {
            // A terminal's driver adds a carriage return before each line feed.
            const raw = convertEol ? written : written.replaceAll(/\r?\n/gu, '\r\n')
            const pieces = raw.split(/(?<=[^\x1b])(?=\x1b|\r)/u)
            const half = pieces.slice(0, pieces.length / 2).join('').length
            expect(await rendered([raw.slice(0, half), raw.slice(half)], convertEol)).toBe(await rendered(pieces, convertEol))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is the same with or without the emulator for append-only text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[a-z 界\t]{0,50}[a-z]$/), { maxLength: 30 }), async (lines) => {
        const text = lines.map((one) => `${one}\n`).join('')
        // Saving the cursor does not move anything, but only the emulator understands the sequence, so the emulator renders the text.
        expect(await rendered([`\x1b7\n${text}`])).toBe(await rendered([`\n${text}`]))
      }),
      { numRuns: 60 },
    )
  })

  it('switches back to plain text after a progress bar, and to the emulator when needed again, without losing a line', async () => {
    const block = Array.from({ length: 2_000 }, (_, index) => `row ${index}\n`).join('')
    const bar = '1%\r2%\r3%\n'
    expect(await rendered([bar, block, bar, block, '\x1b[1A\r\x1b[Kchanged\n'])).toBe(
      `3%\n${block}3%\n${block.replace(/row 1999\n$/, 'changed\n')}`,
    )
  })

  it('memory stays bounded while output is drawn, because the source is paused', async () => {
    const told: boolean[] = []
    const screen = new ScreenText({
      size: SIZE,
      convertEol: true,
      keep: { head: 100, tail: 100 },
      onBacklog: (isFull) => told.push(isFull),
    })
    for (let piece = 0; piece < 30; piece++) screen.write(`${piece}\r`.repeat(20_000))
    screen.write('\n')
    expect(await screen.end()).toEqual({ text: '29\n', omitted: 0, shorterBy: 0 })
    expect(told).toEqual([true, false])
  })
})

describe('a replay', () => {
  async function replayed(pieces: readonly string[]): Promise<{ columns: number; rows: number; data: string }> {
    const screen = new ScreenRecorder({ columns: 40, rows: 10 }, () => {})
    for (const piece of pieces) screen.write(piece, plainText(piece) !== null)
    return screen.snapshot('screen and scrollback')
  }
  const big = Array.from({ length: 120_000 }, (_, index) => `\x1b[3${index % 8}mline ${index}\r\n`).join('')

  it.each([
    ['little text', 'a\r\n\x1b[31mb'],
    ['much colored text', big],
    ['a progress bar below much text', `${big}10%\r20%`],
    ['much text after an editor opened its screen', `\x1b[?1049h\x1b[2;8r${big}`],
    ['a color that was set long ago', `\x1b[1;35m${'y\r\n'.repeat(400_000)}`],
  ])('restores the same screen: %s', async (_name, raw) => {
    const snapshot = await replayed(raw.match(/[^]{1,5000}/g) ?? [])
    expect(await drawn(snapshot)).toEqual(await drawn({ columns: 40, rows: 10, data: raw }))
    expect(snapshot.data.length).toBeLessThanOrEqual(256 * 1024)
  })

  it.each([
    ['margins', '\x1b[?1049h\x1b[2;8r\x1b[8;1Habc', '\r\nmore\r\nmore'],
    ['origin mode within margins', '\x1b[2;8r\x1b[?6h\x1b[1;1Habc', '\x1b[1;1Hx\r\n\n\n\n\n\n\n\ny'],
    ['insert mode', 'abcdef\x1b[4h\x1b[1;2H', 'X'],
    ['no wrapping', '\x1b[?7l', 'x'.repeat(60)],
    ['a color', '\x1b[1;31mred', 'still red'],
    ['the line drawing set', '\x1b(0', 'qqq'],
    ['a saved cursor', 'ab\x1b7cdef', '\x1b8X'],
  ])('continues exactly like the original terminal: %s', async (_name, before, later) => {
    const snapshot = await replayed([before])
    const whole = await drawn({ columns: 40, rows: 10, data: before + later })
    expect(await drawn({ ...snapshot, data: snapshot.data + later })).toEqual(whole)
  })

  it.each([
    ['text that is only appended', big],
    ['text below a progress bar', `10%\r20%\r\n${big.slice(0, 5_000)}\x1b[31mred`],
    ['an editor', `${big.slice(0, 5_000)}\x1b[?1049h\x1b[2;8r\x1b[5;1Habc`],
  ])('of the screen alone has no rows above it: %s', async (_name, raw) => {
    const screen = new ScreenRecorder({ columns: 40, rows: 10 }, () => {})
    for (const piece of raw.match(/(?:[^\n]*\n){1,300}|[^\n]+/g) ?? []) screen.write(piece, plainText(piece) !== null)
    const snapshot = await screen.snapshot('screen')
    expect((await drawn(snapshot)).rows).toEqual((await drawn({ columns: 40, rows: 10, data: raw })).rows)
    // An editor's terminal has two screens.
    expect(snapshot.data.split('\n').length).toBeLessThanOrEqual(2 * 11)
  })

  it('of much text that is only appended contains only as many lines as another terminal keeps', async () => {
    const { data } = await replayed(big.match(/(?:[^\n]*\n){1,300}/g) ?? [])
    expect(data.split('\r\n').length).toBe(1_011)
  })

  it('drops no row between what is drawn and colored text that takes more characters than a replay may have', async () => {
    const screen = new ScreenRecorder({ columns: 40, rows: 10 }, () => {})
    const before = '1%\r2%\rprompt$ '
    screen.write(before, false)
    await screen.snapshot('screen and scrollback')
    const lines = Array.from({ length: 8 }, (_, at) => `${'\x1b[31m'.repeat(8_000)}line ${at}\r\n`)
    for (const line of lines) screen.write(line, true)
    const whole = await drawn({ columns: 40, rows: 10, data: before + lines.join('') })
    expect(await drawn(await screen.snapshot('screen and scrollback'))).toEqual(whole)
  })

  it('shows the screen at the moment of the call, without later output', async () => {
    const screen = new ScreenRecorder({ columns: 40, rows: 10 }, () => {})
    screen.write('first', true)
    const early = screen.snapshot('screen and scrollback')
    screen.write(' second', true)
    expect(await drawn(await early)).toEqual(await drawn({ columns: 40, rows: 10, data: 'first' }))
    expect(await drawn(await screen.snapshot('screen and scrollback'))).toEqual(
      await drawn({ columns: 40, rows: 10, data: 'first second' }),
    )
  })

  it('has the terminal’s current size', async () => {
    const screen = new ScreenRecorder({ columns: 40, rows: 10 }, () => {})
    screen.write('x'.repeat(50), true)
    screen.resize({ columns: 60, rows: 5 })
    screen.write('y', true)
    const snapshot = await screen.snapshot('screen and scrollback')
    expect([snapshot.columns, snapshot.rows, (await drawn(snapshot)).rows.join('')]).toEqual([60, 5, `${'x'.repeat(50)}y`])
  })
})

it.each([
  ['\r1%\r2%\r10%', '\r10%'],
  ['ab\r1%\r\x1b[K2%\r\x1b[K3%\n', 'ab\r\x1b[K3%\n'],
  ['\rlong one\r\x1b[31mab\x1b[0m\rcd', '\rlong one\rcd'],
  ['\rabc\rabc\r\nx\ry\rz\r', '\rabc\r\nx\rz\r'],
  ['\rabc\r\x1b[1Aup\rabcdef', '\rabc\r\x1b[1Aup\rabcdef'],
  ['\rabc\r界\r界', '\rabc\r界\r界'],
  ['\rab\rabcdefghijklmnopqrst', '\rab\rabcdefghijklmnopqrst'],
])('only the visible result of %j is drawn', (raw, left) => {
  expect(withoutOverwritten(raw, SIZE.columns)).toBe(left)
})

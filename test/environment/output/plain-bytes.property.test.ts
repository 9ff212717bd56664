import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arePlainBytes, createUtf8Decoder } from '../../../main/environment/output/utf8-decoder.ts'
import { appendedBytes } from '../../../main/environment/output/appended-bytes.ts'
import { plainText } from '../../../main/environment/output/control-sequences.ts'
import { createHeadTail } from '../../../main/environment/output/head-tail.ts'
import { ScreenText } from '../../../main/environment/output/screen-text.ts'
import { OutputCollector } from '../../../main/environment/process/output-collector.ts'
import { randomRuns } from '../../random-runs.ts'

const isPlainByte = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a

describe('bytes that are plain text', () => {
  it('each of the 256 byte values is judged the same at any position', () => {
    for (let byte = 0; byte < 256; byte++) {
      for (let at = 0; at < 9; at++) {
        const bytes = Buffer.alloc(9, 'a')
        bytes[at] = byte
        expect([byte, at, arePlainBytes(bytes)]).toEqual([byte, at, isPlainByte(byte)])
      }
    }
  })

  it('are recognized correctly in any buffer, from any offset', () => {
    const mostlyPlain = fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) }, fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(fc.array(mostlyPlain, { maxLength: 64 }), fc.nat(7), (all, from) => {
        const bytes = Uint8Array.from(all).subarray(from)
        expect(arePlainBytes(bytes)).toBe(bytes.every(isPlainByte))
      }),
      { numRuns: randomRuns(2_000) },
    )
  })
})

it('text pushed as bytes is stored the same as text pushed as strings, in any mix', () => {
  const piece = fc.tuple(fc.boolean(), fc.string({ unit: 'grapheme-ascii', maxLength: 30 }))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(20), fc.nat(20), (pieces, head, tail) => {
      const asBytes = createHeadTail(head, tail)
      const asText = createHeadTail(head, tail)
      for (const [isBytes, text] of pieces) {
        if (isBytes) asBytes.pushAscii(Buffer.from(text))
        else asBytes.push(text)
        asText.push(text)
      }
      expect(asBytes.kept()).toEqual(asText.kept())
    }),
    { numRuns: randomRuns(1_000) },
  )
})

it('the text of appended bytes is that of the same text read as a string, and everything else is left to the string', () => {
  const part = fc.constantFrom(
    'a',
    'words of a line\t',
    '\n',
    '\r\n',
    '\r',
    '\u001b',
    '\u001b[',
    '\u001b[31',
    '\u001b[m',
    '\u001b[1;38:5:3m',
    '\u001b[K',
    '\u001b[0J',
    '\u001b[2K',
    '\u001b[1K',
    '\u001b[5A',
    '\u001b[?25l',
    '\u001b(B',
    '\u0007',
    '\u007f',
    '\b',
    'é',
    '\0',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom('x', 'y\r\n') }, part), { maxLength: 25 }), (parts) => {
      const all = Buffer.from(parts.join(''))
      const appended = appendedBytes(all)
      if (appended === null) {
        expect(parts.join('')).not.toMatch(/^(?:[ -~\t\n]|\r\n|\x1b\[[\d;:]*m)*$/)
        return
      }
      expect(appended.text.toString()).toBe(plainText(all.toString('latin1', 0, appended.end)))
      expect(all.toString('latin1', appended.end)).toMatch(/^(?:\r|\x1b(?:\[[\d;:]*)?)?$/)
    }),
    { numRuns: randomRuns(3_000) },
  )
})

describe('a large output', () => {
  const plain = fc.tuple(
    fc.constantFrom('x', 'a line\n', 'words of a longer line that goes on\t', '\n', 'line\r\n', '\u001b[32mok\u001b[0m colored\r\n'),
    fc.integer({ min: 1, max: 5_000 }),
  )
  const part = fc.oneof(
    { weight: 6, arbitrary: plain.map(([text, times]) => text.repeat(times)) },
    fc.constantFrom(
      '\r',
      '\r\n',
      '12 %\r13 %\r',
      '\u001b[31mred\u001b[m',
      '\u001b[2Aup',
      'é',
      '漢字',
      '😀',
      '\0',
      '\u007f',
      '\b',
      '\u001b',
    ),
  )

  it.each([
    ['on pipes', null],
    ['in a terminal', { columns: 80, rows: 24 }],
  ])(
    '%s yields the same text whether it is collected as bytes or read as strings, for any chunk size',
    async (_, size) => {
      await fc.assert(
        fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.integer({ min: 999, max: 70_000 }), async (parts, cut) => {
          // A terminal's driver adds a carriage return before each line feed.
          const all = size === null ? parts.join('') : parts.join('').replaceAll(/\r?\n/gu, '\r\n')
          expect(await collected(Buffer.from(all), cut, size)).toEqual(await asStrings(Buffer.from(all), cut, size))
        }),
        { numRuns: 25 },
      )
    },
    60_000,
  )

  async function collected(all: Buffer, cut: number, size: { columns: number; rows: number } | null): Promise<unknown> {
    const spooled: Buffer[] = []
    const output = new OutputCollector({ spoolText: (utf8) => spooled.push(Buffer.from(utf8)) }, size, () => {})
    const way = size === null ? 'takeBytes' : 'take'
    for (let at = 0; at < all.length; at += cut) output[way]('stdout', all.subarray(at, at + cut))
    return { kept: (await output.end()).stdout, spooled: Buffer.concat(spooled).toString() }
  }

  async function asStrings(all: Buffer, cut: number, size: { columns: number; rows: number } | null): Promise<unknown> {
    const spooled: Buffer[] = []
    const text = new ScreenText({
      size: size ?? { columns: 500, rows: 50 },
      convertEol: size === null,
      keep: { head: 256 * 1024, tail: 256 * 1024 },
      sink: (utf8) => spooled.push(Buffer.from(utf8)),
    })
    const decoder = createUtf8Decoder()
    for (let at = 0; at < all.length; at += cut) text.write(decoder.write(all.subarray(at, at + cut)))
    return { kept: await text.end(), spooled: Buffer.concat(spooled).toString() }
  }
})

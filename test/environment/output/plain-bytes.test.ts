import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arePlainBytes } from '../../../main/environment/output/utf8-decoder.ts'
import { createHeadTail } from '../../../main/environment/output/head-tail.ts'
import { OutputCollector } from '../../../main/environment/process/output-collector.ts'

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
      { numRuns: 2_000 },
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
    { numRuns: 1_000 },
  )
})

describe('a large output on pipes', () => {
  const plain = fc.tuple(
    fc.constantFrom('x', 'a line\n', 'words of a longer line that goes on\t', '\n'),
    fc.integer({ min: 1, max: 5_000 }),
  )
  const part = fc.oneof(
    { weight: 6, arbitrary: plain.map(([text, times]) => text.repeat(times)) },
    fc.constantFrom('\r', '\r\n', '12 %\r13 %\r', '\u001b[31mred\u001b[m', '\u001b[2Aup', 'é', '漢字', '😀', '\0', '\u007f', '\b'),
  )

  it('yields the same text whether it is collected as bytes or decoded, for any chunk size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.integer({ min: 999, max: 70_000 }), async (parts, cut) => {
        const all = Buffer.from(parts.join(''))
        expect(await collected(all, cut, 'takeBytes')).toEqual(await collected(all, cut, 'take'))
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  async function collected(all: Buffer, cut: number, way: 'take' | 'takeBytes'): Promise<unknown> {
    const spooled: Buffer[] = []
    const output = new OutputCollector({ spoolText: (utf8) => spooled.push(Buffer.from(utf8)) }, null, () => {})
    for (let at = 0; at < all.length; at += cut) output[way]('stdout', all.subarray(at, at + cut))
    return { ...(await output.end()), spooled: Buffer.concat(spooled).toString() }
  }
})

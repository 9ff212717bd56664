import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EscapeRemoval } from '../../main/redaction/escape-sequences.ts'

/** Matches control sequences and character set escapes, and an incomplete one at the end. */
const SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*(?:[@-~]|$)|[()](?:[0-9AB]|$)|$)/g

const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'words', '\r\n', '1', ';', 'm') },
  fc.constantFrom('\x1b', '\x1b[', '\x1b[0m', '\x1b[38;5;1m', '\x1b[2 q', '\x1b(B', '\x1b(', '\x1b]0;t\x07', '\x1b7'),
)

it('finds the same sequences as a regular expression, and maps positions in both directions', () => {
  const removal = new EscapeRemoval()
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('')
      const data = Buffer.from(text)
      const places = [...text.matchAll(SEQUENCES)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
      const kept = [...text].map((_, at) => at).filter((at) => !places.some(({ start, end }) => at >= start && at < end))
      const clean = removal.from(data)
      if (clean === null) {
        expect(places).toEqual([])
        return
      }
      expect(Buffer.from(clean.bytes).toString()).toBe(kept.map((at) => text.charAt(at)).join(''))
      expect(clean.sequencesIn({ start: 0, end: data.length })).toEqual(places)
      expect(kept.map((_, index) => clean.placeOf(index))).toEqual(kept)
      expect([...text].map((_, at) => clean.indexOf(at))).toEqual([...text].map((_, at) => kept.filter((one) => one < at).length))
      for (const { start, end } of places) expect(clean.sequencesIn({ start, end })).toEqual([{ start, end }])
    }),
    { numRuns: 2_000 },
  )
})

it('keeps thousands of sequences in one piece apart', () => {
  const clean = new EscapeRemoval().from(Buffer.from('\x1b[1mx'.repeat(10_000)))
  expect([clean?.bytes.length, clean?.placeOf(9_999), clean?.indexOf(49_999)]).toEqual([10_000, 49_999, 9_999])
})

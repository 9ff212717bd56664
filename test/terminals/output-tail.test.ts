import { expect, it } from 'vitest'
import { outputTail } from '../../main/terminals/output-tail.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const KEPT = 'and the rest'

it('output shorter than the limit is shown completely', () => {
  expect(outputTail(bytesOf('\u001b[1mhello'), 100)).toBe('\u001b[1mhello')
  expect(outputTail(bytesOf(''), 100)).toBe('')
})

it.each([
  ['a character', '\u{1F58B}'],
  ['a color', '\u001b[38;2;10;20;30m'],
  ['a saved cursor', '\u001b7'],
  ['a character set', '\u001b(B'],
  ['a title that ends with BEL', '\u001b]0;a title\u0007'],
  ['a link that ends with ST', '\u001b]8;;https://example.org\u001b\\'],
])('a cut inside %s drops the rest of it, but a cut beside it drops nothing', (_, sequence) => {
  const bytes = bytesOf(`before${sequence}${KEPT}`)
  const length = bytesOf(sequence).length
  const most = bytesOf(KEPT).length
  for (let inside = 1; inside < length; inside++) {
    expect([inside, outputTail(bytes, most + inside)]).toEqual([inside, KEPT])
  }
  expect([outputTail(bytes, most), outputTail(bytes, most + length)]).toEqual([KEPT, sequence + KEPT])
})

it('an escape sequence before the cut never hides the text after it, whether it is complete or unterminated', () => {
  expect(outputTail(bytesOf('\u001b[1mone two'), 3)).toBe('two')
  expect(outputTail(bytesOf(`\u001b]0;never ended ${'x'.repeat(50)}`), 10)).toBe('x'.repeat(10))
})

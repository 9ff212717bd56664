import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import {
  repeated,
  CHARACTER,
  either,
  linearMatcher,
  one,
  optional,
  type Pattern,
  sequence,
  text,
  withStars,
} from '../../../shared/lib/pattern/linear-matcher.ts'

const { pattern } = fc.letrec<{ readonly pattern: Pattern }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(text('a'), text('ab'), text('.'), text('😀'), text(''), one('[^/]'), one('(?!/)[ab]'), CHARACTER),
    tie('pattern').map((part) => repeated(part)),
    tie('pattern').map((part) => optional(part)),
    fc.array(tie('pattern'), { maxLength: 4 }).map((parts) => sequence(parts)),
    fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }).map((parts) => either(parts)),
  ),
}))

function sourceOf(part: Pattern): string {
  switch (part.kind) {
    case 'text':
      return part.text.replaceAll('.', String.raw`\.`)
    case 'one':
      return part.source
    case 'any':
      return `(?:${sourceOf(part.of)})*`
    case 'sequence':
      return part.parts.map((each) => sourceOf(each)).join('')
    case 'either':
      return `(?:${part.parts.map((each) => sourceOf(each)).join('|')})`
  }
}

it('matches exactly the texts that the same regular expression matches', () => {
  const given = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '.', '/', '\n', '😀', 'é'), maxLength: 7 })
  fc.assert(
    fc.property(pattern, fc.array(given, { minLength: 1, maxLength: 10 }), fc.boolean(), (each, texts, caseSensitive) => {
      const expression = new RegExp(`^(?:${sourceOf(each)})$`, caseSensitive ? 'su' : 'sui')
      const matches = linearMatcher(each, caseSensitive)
      expect(texts.map((one) => matches(one))).toEqual(texts.map((one) => expression.test(one)))
    }),
    { numRuns: 2_000 },
  )
})

it('makes at most one comparison for each character of the text and of the pattern, however many ways there are to match', () => {
  const stars = 40
  const length = 1_000
  const parts = Array.from({ length: stars }, () => [repeated(CHARACTER), one('a')]).flat()
  const matches = linearMatcher(sequence([...parts, one('b')]))
  const test = vi.spyOn(RegExp.prototype, 'test')
  const answers = [matches('a'.repeat(length)), matches(`${'a'.repeat(length)}b`)]
  const comparisons = test.mock.calls.length
  test.mockRestore()
  expect(answers).toEqual([false, true])
  expect(comparisons).toBeLessThanOrEqual(2 * length * (2 * stars + 1))
})

it('keeps matching after it has forgotten what it learned from many different characters', () => {
  const matches = linearMatcher(withStars('*a*b'))
  const long = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')
  expect([matches(long), matches(`${long}a${long}b`), matches('ab'), matches('ba')]).toEqual([false, true, true, false])
})

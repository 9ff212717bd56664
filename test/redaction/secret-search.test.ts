import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { BLANKS, NOTHING, SecretSearch } from '../../main/redaction/secret-search.ts'

const FORMS = ['abcabcab', 'bcabcabca', 'aaaaaaaabb', 'cabbagecab', 'aaaaaaaa'] as const
const search = new SecretSearch(FORMS.map((text) => ({ bytes: Buffer.from(text), marker: text })))

const isBlank = (char: string): boolean => /\s/.test(char)

/** Where `form` ends if it begins at `start`, found one character after another. */
function naiveEnd(text: string, start: number, form: string, skips: boolean): number | null {
  let at = start
  for (const [index, char] of [...form].entries()) {
    while (skips && index > 0 && isBlank(text[at] ?? '')) at++
    if (text[at] !== char) return null
    at++
  }
  return at
}

function naive(text: string, from: number, skips: boolean) {
  const longestFirst = FORMS.toSorted((a, b) => b.length - a.length)
  for (let start = from; start < text.length; start++) {
    for (const form of longestFirst) {
      const end = naiveEnd(text, start, form, skips)
      if (end !== null) return { start, end, marker: form }
    }
  }
  return null
}

describe.each([
  { name: 'the data as it is', passedOver: NOTHING, skips: false },
  { name: 'the data without its white space', passedOver: BLANKS, skips: true },
])('a search in $name', ({ passedOver, skips }) => {
  it('finds in random texts what comparing at every position finds', () => {
    const part = fc.constantFrom('a', 'b', 'c', ' ', '\n', 'abca', 'cabb age', 'aaaa', 'abcabcab', 'cabbagecab')
    let found = 0
    fc.assert(
      fc.property(fc.array(part, { minLength: 5, maxLength: 40 }), fc.nat(20), (parts, from) => {
        const text = parts.join('')
        const expected = naive(text, from, skips)
        expect(search.find(Buffer.from(text), from, passedOver)).toEqual(expected)
        if (expected) found++
      }),
      { numRuns: 2000 },
    )
    expect(found).toBeGreaterThan(500)
  })

  it('finds the beginning of a secret at the end of random texts', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('x', 'a ', '\n')), fc.integer({ min: 2, max: 9 }), (parts, length) => {
        const before = `${parts.join('')}x`
        const begun = [...'cabbagecab'.slice(0, length)].join(skips ? ' \n' : '')
        const match = search.unfinished(Buffer.from(before + begun), 0, passedOver)
        expect(match).toMatchObject({ length, start: before.length, end: before.length + begun.length })
      }),
    )
  })
})

test('white space of a megabyte takes no time in proportion to its square', () => {
  const blanks = Buffer.alloc(1024 * 1024, ' ')
  const began = process.cpuUsage()
  expect(search.find(blanks, 0, BLANKS)).toBeNull()
  expect(search.find(Buffer.concat([Buffer.from('a'), blanks, Buffer.from('b')]), 0, BLANKS)).toBeNull()
  // The square would take minutes.
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000)
})

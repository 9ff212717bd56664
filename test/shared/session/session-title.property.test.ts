import fc from 'fast-check'
import { expect, test } from 'vitest'
import { titleOfRequest } from '../../../shared/session/session-title.ts'
import { randomRuns } from '../../random-runs.ts'

const graphemes = (text: string): number => [...new Intl.Segmenter().segment(text)].length

test('the title of a request is one line of at most 48 characters without control characters, for any text', () => {
  const said = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(fc.constantFrom('`', '```\n', '*', '/', '\\', '[', '](', '<b', '://', '。', '👩‍👧', ' ', 'word', '\n', '\u202E'), {
        maxLength: 80,
      })
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(said, (text) => {
      const title = titleOfRequest({ text })
      expect(graphemes(title)).toBeLessThanOrEqual(48)
      expect(title).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
      expect(title).toBe(title.trim())
    }),
    { numRuns: randomRuns(300) },
  )
})

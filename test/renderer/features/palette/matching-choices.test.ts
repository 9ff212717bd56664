import { describe, expect, test } from 'vitest'
import { matchingChoices } from '../../../../renderer/features/palette/matching-choices.ts'

const ALL = [
  { group: 'This session', words: 'Stop this turn' },
  { group: 'This session', words: 'Changes as a full review' },
  { group: 'Desk', words: 'Go to the next thing that needs me' },
  { group: 'Desk', words: 'Settings' },
  { group: 'Sessions', words: 'Photos by EXIF date', aside: 'scripts' },
]
const found = (typed: string): readonly string[] => matchingChoices(ALL, typed).map(({ words }) => words)

describe('matches for the typed text', () => {
  test('are all entries, in order, while nothing is typed', () => {
    expect(found('  ')).toEqual(ALL.map(({ words }) => words))
  })

  test('are sorted by kind of match: prefix of the label, prefix of a word, substring, prefixes of consecutive words', () => {
    expect(found('set')).toEqual(['Settings'])
    expect(found('th')).toEqual(['Stop this turn', 'Go to the next thing that needs me'])
    expect(found('gtn')).toEqual(['Go to the next thing that needs me'])
    expect(found('scr')).toEqual(['Photos by EXIF date'])
    expect(matchingChoices([...ALL, { group: 'Desk', words: 'Net' }], 'ne').map(({ words }) => words)).toEqual([
      'Net',
      'Go to the next thing that needs me',
    ])
  })

  test('are empty if nothing matches, and upper and lower case do not matter', () => {
    expect(found('zebra')).toEqual([])
    expect(found('EXIF')).toEqual(found('exif'))
  })
})

import { describe, expect, test } from 'vitest'
import { fitting } from '../../../../renderer/features/palette/fitting.ts'

const ALL = [
  { group: 'This session', words: 'Stop this turn' },
  { group: 'This session', words: 'Changes as a full review' },
  { group: 'Desk', words: 'Go to the next thing that needs me' },
  { group: 'Desk', words: 'Settings' },
  { group: 'Sessions', words: 'Photos by EXIF date', aside: 'scripts' },
]
const found = (typed: string): readonly string[] => fitting(ALL, typed).map(({ words }) => words)

describe('what fits what was typed', () => {
  test('is everything, in order, while nothing is', () => {
    expect(found('  ')).toEqual(ALL.map(({ words }) => words))
  })

  test('is what begins so, then what has a word that does, then what has it inside, then what has words that begin so one after the other', () => {
    expect(found('set')).toEqual(['Settings'])
    expect(found('th')).toEqual(['Stop this turn', 'Go to the next thing that needs me'])
    expect(found('gtn')).toEqual(['Go to the next thing that needs me'])
    expect(found('scr')).toEqual(['Photos by EXIF date'])
    expect(fitting([...ALL, { group: 'Desk', words: 'Net' }], 'ne').map(({ words }) => words)).toEqual([
      'Net',
      'Go to the next thing that needs me',
    ])
  })

  test('is nothing where nothing does, and letters mean the same in either case', () => {
    expect(found('zebra')).toEqual([])
    expect(found('EXIF')).toEqual(found('exif'))
  })
})

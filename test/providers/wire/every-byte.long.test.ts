import { describe, test } from 'vitest'
import { FORMATS } from '../../support/wire-formats/formats.ts'
import { expectCutOffWhenBroken, expectSameInPieces, expectSameWhenTorn } from './torn-streams.ts'

describe.each(FORMATS)('$name', (format) => {
  test('an answer is read the same wherever its stream is split', () => expectSameWhenTorn(format, 1))
  test('an answer interrupted after any byte counts as cut off: nothing is executed, and no text is lost', () =>
    expectCutOffWhenBroken(format, 1))
  test('a longer answer is read the same if sent byte by byte', () => expectSameInPieces(format, [1]))
})

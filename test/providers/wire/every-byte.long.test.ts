import { describe, test } from 'vitest'
import { FORMATS } from '../../../main/providers/rehearsal/scripted-wire-formats.ts'
import { expectCutOffWhenBroken, expectSameInPieces, expectSameWhenTorn } from './torn-streams.ts'

describe.each(FORMATS)('$name', (format) => {
  test('split into two at any byte, it is the same', () => expectSameWhenTorn(format, 1))
  test('interrupted after any byte it is cut off: nothing is executed, and no text is lost', () => expectCutOffWhenBroken(format, 1))
  test('a longer one, byte by byte, is the same', () => expectSameInPieces(format, [1]))
})

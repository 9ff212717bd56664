import { expect, test } from 'vitest'
import { undoneWords } from '../../../../renderer/state/views/context-and-price.ts'

test('undoing a compaction warns first if the next request would be too long', () => {
  const quiet = 'If you undo this, the conversation is compacted again only when the context window is full.'
  const tooLong =
    'If you undo this, the next request will be too long for this model and will be compacted again. A model with a larger context window can accept it.'
  const words = ([190_000, 200_000, 210_000] as const).map((tokensBefore) => undoneWords({ tokensBefore }, 200_000))
  expect([...words, undoneWords({ tokensBefore: 210_000 }, null)]).toEqual([quiet, tooLong, tooLong, quiet])
})

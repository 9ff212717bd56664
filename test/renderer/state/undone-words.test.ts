import { expect, test } from 'vitest'
import { undoneWords } from '../../../renderer/state/undone-words.ts'

test('undoing a compaction says when the next request would be too long', () => {
  const quiet = 'Undone, it is compacted again only when the window is full.'
  const tooLong = 'Undone, the next request will be too long for this model and is compacted again; one with a larger window takes it.'
  const words = ([190_000, 200_000, 210_000] as const).map((tokensBefore) => undoneWords({ tokensBefore }, 200_000))
  expect([...words, undoneWords({ tokensBefore: 210_000 }, null)]).toEqual([quiet, tooLong, tooLong, quiet])
})

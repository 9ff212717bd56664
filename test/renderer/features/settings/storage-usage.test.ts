import { expect, test } from 'vitest'
import { overQuotaWords } from '../../../../renderer/features/settings/storage/storage-usage.tsx'

test.each([
  ['a clean-up frees enough', 0, -5, 'A clean-up is enough.'],
  ['no session can be deleted', 0, 5, 'No session is left to delete that is neither pinned nor working. Set a higher limit.'],
  [
    'one session is enough',
    1,
    0,
    'Deleting the oldest session that is neither pinned nor working would make room. Nothing is deleted automatically.',
  ],
  [
    'all sessions together are not enough',
    2,
    5,
    'Deleting the 2 oldest sessions that are neither pinned nor working would not make enough room, so set a higher limit too. Nothing is deleted automatically.',
  ],
])('over the storage limit, if %s, the words say so', (_, count, left, words) => expect(overQuotaWords(count, left)).toBe(words))

import { expect, test } from 'vitest'
import { isUndone, newestCompaction } from '../../../../../renderer/features/ledger/entries/notice-entry.tsx'
import type { DurableEvent } from '../../../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../../../shared/session/fold/fold.ts'
import type { SessionState } from '../../../../../shared/session/state.ts'
import { SESSION, stamped, started } from '../../../../agent/support/events.ts'

const compacted: DurableEvent = {
  kind: 'COMPACTED',
  text: 'Short.',
  kept: 1,
  why: 'threshold',
  dropped: 9,
  pinned: 2,
  tokensBefore: 170_000,
  tokensAfter: 20_000,
}
const undone: DurableEvent = { kind: 'COMPACTION_UNDONE' }

/** Returns for each compaction, in order, whether it was undone. */
function standing(state: SessionState): readonly boolean[] {
  return state.items.flatMap((item) => (item.kind === 'notice' && item.trouble.code === 'compacted' ? [isUndone(state, item.id)] : []))
}

test.each([
  ['one that is active', [compacted], [false]],
  ['one that was undone', [compacted, undone], [true]],
  ['two, of which the newer was undone', [compacted, compacted, undone], [false, true]],
  ['two that were both undone', [compacted, compacted, undone, undone], [true, true]],
  ['one that was undone, and a new one', [compacted, undone, compacted], [true, false]],
] as const)('an undo reverts the newest active compaction: %s', (_, events, expected) => {
  const state = foldAll(emptySession(SESSION), stamped([started(), ...events]))
  expect(standing(state)).toEqual(expected)
  expect(newestCompaction(state) === null).toBe(expected.every(Boolean))
})

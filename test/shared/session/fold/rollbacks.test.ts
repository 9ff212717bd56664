import { expect, test } from 'vitest'
import type { DurableEvent } from '../../../../shared/session/events.ts'
import type { FileChange } from '../../../../shared/session/file-change.ts'
import { emptySession, fold } from '../../../../shared/session/fold/fold.ts'
import { isUndoneStep, type SkipReason, type UndoTarget } from '../../../../shared/session/rollback.ts'
import { blobHash, SESSION, stamped } from '../../../agent/support/events.ts'

const FILE: FileChange = {
  path: '/w/a',
  shown: 'a',
  before: blobHash('x'),
  after: null,
  beforeBytes: 1,
  afterBytes: 0,
  beforeMode: 0o644,
  afterMode: null,
  lines: null,
}

/** An undo of `target` that changed one file if `hasChanged`, and skipped another one for the reason `why`. */
function undo(rollbackId: string, target: UndoTarget, hasChanged: boolean, why?: SkipReason): DurableEvent {
  const skipped = why === undefined ? [] : [{ path: '/w/b', shown: 'b', why }]
  return { kind: 'ROLLED_BACK', rollbackId, target, files: hasChanged ? [FILE] : [], skipped, uncovered: [] }
}

/** Returns the ids of the undos that can be taken back, and whether step 1 is shown as undone. */
function after(...events: readonly DurableEvent[]): readonly [ids: readonly string[], isUndone: boolean] {
  const { rollbacks } = fold(emptySession(SESSION), ...stamped(events))
  return [rollbacks.map(({ rollbackId }) => rollbackId), isUndoneStep(1, rollbacks)]
}

const STEP: UndoTarget = { kind: 'step', step: 1 }
const REDO: UndoTarget = { kind: 'rollback', rollbackId: 'u1' }

test.each([
  ['a complete undo', [undo('u1', STEP, true)], [['u1'], true]],
  ['an undo that skipped a file of the user', [undo('u1', STEP, true, 'changed-since')], [['u1'], true]],
  ['an undo of which a file could not be written', [undo('u1', STEP, true, 'not-written')], [['u1'], false]],
  ['an undo of which no file could be written', [undo('u1', STEP, false, 'not-written')], [[], false]],
  ['the same undo once more', [undo('u1', STEP, true, 'not-written'), undo('u2', STEP, true)], [['u1', 'u2'], true]],
  ['a complete redo', [undo('u1', STEP, true), undo('r1', REDO, true)], [[], false]],
  ['a redo of which a file could not be written', [undo('u1', STEP, true), undo('r1', REDO, true, 'not-written')], [['u1'], true]],
  ['the same redo once more', [undo('u1', STEP, true), undo('r1', REDO, true, 'not-written'), undo('r2', REDO, true)], [[], false]],
] as const)('%s: which undos can be taken back, and whether the step counts as undone', (_, events, wanted) => {
  expect(after(...events)).toEqual(wanted)
})

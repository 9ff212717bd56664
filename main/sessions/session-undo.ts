import type { Done } from '../../shared/api/sessions.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ConversationPoint } from '../../shared/session/conversation-move.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { UndoTarget } from '../../shared/session/rollback.ts'
import type { UndoOutcome, UndoPreview, UndoRequest } from '../../shared/session/undo-preview.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'
import type { DecidedUndo } from '../changes/undo/undo.ts'
import { StorageError } from '../agent/storage-error.ts'
import { goBack, pointFor } from './go-back.ts'
import type { Place, RunningPlace } from './running-place.ts'

/**
 * Undo works only in the process that runs the session, because its write lock prevents the session's own steps from writing at the same
 * time. `settled` resolves when the newest undo has ended.
 */
export function createSessionUndo({ runHere }: Pick<RunningPlace, 'runHere'>, record: SessionRecord) {
  let running: Promise<void> = Promise.resolve()
  const ended = <Outcome extends UndoOutcome | null>(outcome: Promise<Outcome>): Promise<Outcome | UndoOutcome> => {
    running = outcome.then(
      () => {},
      () => {},
    )
    return outcome.catch((error: unknown) => ({ kind: 'refused' as const, trouble: nothingUndone(error) }))
  }
  return {
    async previewUndo(target: UndoTarget): Promise<Result<UndoPreview, Trouble>> {
      const place = await runHere()
      if (place.kind !== 'here') return failed(notHere(place))
      return place.runtime.undo.preview(target).then(ok<UndoPreview>, (error: unknown) => failed(nothingUndone(error)))
    },
    async undo(request: UndoRequest): Promise<UndoOutcome> {
      const place = await runHere()
      if (place.kind !== 'here') return { kind: 'refused', trouble: notHere(place) }
      const point = request.conversation && (await pointFor(record, request.conversation))
      if (point && !point.ok) return { kind: 'refused', trouble: point.failure }
      return ended(place.runtime.undo.run(record, request, point?.value ?? null))
    },
    async carryOutUndo(decide: () => Promise<DecidedUndo | null>): Promise<UndoOutcome | null> {
      const place = await runHere()
      if (place.kind !== 'here') return { kind: 'refused', trouble: notHere(place) }
      return ended(place.runtime.undo.carryOut(record, decide, false))
    },
    async goBack(point: ConversationPoint): Promise<Done> {
      await runHere()
      return goBack(record, point)
    },
    settled: () => running,
  }
}

function notHere(place: Exclude<Place, { kind: 'here' }>): Trouble {
  return place.kind === 'nowhere' ? place.trouble : NOT_UNDONE_HERE
}

/** The message if the storage failed before an undo began. Throws any other error. */
function nothingUndone(error: unknown): Trouble {
  if (!(error instanceof StorageError)) throw error
  return { ...error.trouble, kept: 'Nothing was undone. All files are unchanged.' }
}

const NOT_UNDONE_HERE: Trouble = {
  code: 'runs_elsewhere',
  what: 'Another Countersign process runs this session, so its changes cannot be undone here.',
  kept: 'All files are unchanged.',
  todo: 'Undo the changes in that process, or close the session there first.',
}

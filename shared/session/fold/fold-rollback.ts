import type { ConversationMove } from '../conversation-move.ts'
import type { DurableEvent } from '../events.ts'
import { type Rollback, rollbacksAfter } from '../rollback.ts'
import type { Draft } from './fold-call.ts'

export type RollbackEvent = Extract<DurableEvent, { kind: 'ROLLBACK_STARTED' | 'ROLLED_BACK' | 'CONVERSATION_MOVED' }>

/** The conversation move that an event records. Null if it records none. */
export function moveOf(event: DurableEvent): ConversationMove | null {
  if (event.kind === 'CONVERSATION_MOVED') return event
  return event.kind === 'ROLLED_BACK' ? (event.conversation ?? null) : null
}

/** Applies an event with which the user moved the files, the conversation, or both to another point. */
export function foldRollback(
  draft: Draft,
  event: RollbackEvent,
  { seq, ...entry }: { readonly id: string; readonly at: number; readonly seq: number },
): void {
  if (event.kind === 'CONVERSATION_MOVED') draft.items.push({ kind: 'move', ...entry, to: event.to })
  else {
    const { kind, ...rollback } = event
    draft.rollingBack = kind === 'ROLLBACK_STARTED' ? seq : null
    if (kind === 'ROLLBACK_STARTED') return
    if (hasEffect(event)) {
      const { rollbackId, target, skipped } = event
      const unfinished = skipped.some(({ why }) => why === 'not-written')
      const done = { rollbackId, target, steps: draft.steps, ...(unfinished && ({ unfinished } as const)) }
      draft.rollbacks = rollbacksAfter(draft.rollbacks, done)
    }
    draft.items.push({ kind: 'rollback', ...entry, ...rollback })
  }
  const move = moveOf(event)
  if (!move) return
  draft.moves = [...draft.moves, { seq, to: move.to }]
  draft.todos = move.todos
  draft.compactions = move.compactions
  draft.wholeWanted = move.wholeWanted
  draft.context = move.context
  // After the conversation was moved, nothing can be resumed, and the next turn starts with a message.
  if (draft.ended !== null) draft.ended = 'completed'
  if (draft.turnEnd) draft.turnEnd = { ...draft.turnEnd, asks: false }
}

/** Whether an undo changed anything. If not, for example on a full disk, there is nothing to take back. */
const hasEffect = ({ files, folders = [], conversation }: Rollback): boolean =>
  files.length > 0 || folders.length > 0 || conversation !== undefined

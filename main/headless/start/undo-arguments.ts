import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { UndoTarget } from '../../../shared/session/rollback.ts'

/** An undo from the command line: `undo STEP`, `rollback STEP`, `redo last`. */
export interface UndoFlags {
  readonly what: Exclude<UndoTarget, { kind: 'rollback' }> | { readonly kind: 'redo' }
  readonly conversation: boolean
  readonly anyway: boolean
  readonly preview: boolean
}

interface UndoValues {
  readonly conversation?: boolean | undefined
  readonly anyway?: boolean | undefined
  readonly preview?: boolean | undefined
}

/**
 * There must be two words, so that no task in quotes is mistaken for an undo. Null if it is a task. A failure is a sentence for the user.
 */
export function undoIn(
  words: readonly string[],
  { conversation = false, anyway = false, preview = false }: UndoValues,
): Result<UndoFlags | null, string> {
  const what = whatIn(words)
  if (!what.ok) return what
  const isAsked = conversation || anyway || preview
  if (what.value === null)
    return isAsked ? failed('--conversation, --anyway and --preview only work with undo, rollback and redo.') : ok(null)
  if (conversation && what.value.kind === 'step')
    return failed('--conversation only works with rollback: undoing one step keeps later work.')
  return ok({ what: what.value, conversation, anyway, preview })
}

function whatIn([name, value, ...rest]: readonly string[]): Result<UndoFlags['what'] | null, string> {
  if (value === undefined || rest.length > 0) return ok(null)
  if (name === 'redo' && value === 'last') return ok({ kind: 'redo' })
  if (name !== 'undo' && name !== 'rollback') return ok(null)
  const step = /^\d{1,9}$/u.test(value) ? Number(value) : null
  if (step === null || (step === 0 && name === 'undo')) return failed(`${name} takes the number of a step, not "${value}".`)
  return ok({ kind: name === 'undo' ? 'step' : 'to', step })
}

/** Part of `--help`. */
export const UNDO_HELP = `Undo, in the newest session of this folder or that of --resume ID
  undo STEP            undoes this step and keeps later work. Lines that later work changed too are left
                       unchanged: choose between them in the desk
  rollback STEP        restores the files to their state after this step; 0: before the first
  redo last            reverts the newest undo
  --conversation       with rollback: rolls back the conversation too; the agent then knows only what remains
  --anyway             includes files that you have changed since
  --preview            only shows what would happen`

import { z } from 'zod'
import { ConflictChoice, type ConflictRegion } from '../lib/line-conflict.ts'
import type { Trouble } from './events.ts'
import type { FileChange, FolderChange } from './file-change.ts'
import { ConversationPoint } from './conversation-move.ts'
import { type Rollback, type SkippedFile, type UncoveredPath, UndoTarget } from './rollback.ts'

/** A file that an undo changes. `change.before`: as it is now; `change.after`: as it will be. */
export interface UndoneFile {
  readonly change: FileChange
  /** Steps whose changes to it are taken back. */
  readonly steps: readonly number[]
  /** Later work in it stays. */
  readonly merged: boolean
}

/** `change`: what restoring it anyway would do; null: it cannot be restored. */
export interface SkippedUndo extends SkippedFile {
  readonly change: FileChange | null
  readonly steps: readonly number[]
}

/** A file that cannot be merged without a decision for each region. */
export interface UndoConflict {
  readonly path: string
  readonly shown: string
  /** Empty: the file as a whole is one conflict, because it is not text, or was created or deleted. */
  readonly regions: readonly ConflictRegion[]
  /** From now to the file as it was before the step. */
  readonly change: FileChange
  /** Later steps that changed it. Empty: someone else did. */
  readonly later: readonly number[]
}

/** What an undo would do. Every file is in one list. */
export interface UndoPreview {
  readonly target: UndoTarget
  /** Names exactly this plan: running another one is refused. */
  readonly plan: string
  readonly files: readonly UndoneFile[]
  /** A folder that holds anything else when its turn comes stays. */
  readonly folders: readonly FolderChange[]
  readonly skipped: readonly SkippedUndo[]
  readonly conflicts: readonly UndoConflict[]
  readonly uncovered: readonly UncoveredPath[]
}

/**
 * `anyway`: skipped files to restore all the same. `choices`: one per region of each conflict; one for a file without regions.
 * `conversation`: where the conversation goes at the same time. Absent: it stays.
 */
export const UndoRequest = z.object({
  target: UndoTarget,
  plan: z.string().max(80),
  anyway: z.array(z.string().max(4096)).max(100_000).default([]),
  conversation: ConversationPoint.optional(),
  choices: z.array(z.object({ path: z.string().max(4096), choices: z.array(ConflictChoice).max(10_000) })).default([]),
})
export type UndoRequest = z.infer<typeof UndoRequest>

/** `changed`: the files are not as the preview saw them, and nothing was done. */
export type UndoOutcome =
  | { readonly kind: 'done'; readonly rollback: Rollback }
  | { readonly kind: 'changed'; readonly preview: UndoPreview }
  | { readonly kind: 'refused'; readonly trouble: Trouble }

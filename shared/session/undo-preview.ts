import { z } from 'zod'
import { ConflictChoice, type ConflictRegion } from '../lib/lines/line-conflict.ts'
import type { Trouble } from './events.ts'
import type { FileChange, FolderChange } from './file-change.ts'
import { ConversationPoint } from './conversation-move.ts'
import { type Rollback, type SkippedFile, type UncoveredPath, UndoTarget } from './rollback.ts'

/** A file that an undo changes. `change.before` is the file now. `change.after` is the file after the undo. */
export interface UndoneFile {
  readonly change: FileChange
  /** Steps whose changes to the file are undone. */
  readonly steps: readonly number[]
  /** Whether later work in the file is kept. */
  readonly merged: boolean
}

/** `change` is what restoring the file would do. Null if it cannot be restored. */
export interface SkippedUndo extends SkippedFile {
  readonly change: FileChange | null
  readonly steps: readonly number[]
}

/** A file that cannot be merged without a decision for each region. */
export interface UndoConflict {
  readonly path: string
  readonly shown: string
  /** Empty if the complete file is one conflict, because it is not text, or was created or deleted. */
  readonly regions: readonly ConflictRegion[]
  /** The change that restores the file to its state before the step. */
  readonly change: FileChange
  /** Later steps that changed the file. Empty if someone else changed it. */
  readonly later: readonly number[]
  /** The step of another session that changed the file last: "step 3 of “Mend VAT”". If absent, no other session did. */
  readonly other?: string
}

/** What an undo would do. Every file is in exactly one list. */
export interface UndoPreview {
  readonly target: UndoTarget
  /** Identifies exactly this plan. Running another plan is refused. */
  readonly plan: string
  readonly files: readonly UndoneFile[]
  /** The folders that the undo creates, deletes or changes. A folder to be deleted is kept if it contains anything else at that moment. */
  readonly folders: readonly FolderChange[]
  readonly skipped: readonly SkippedUndo[]
  readonly conflicts: readonly UndoConflict[]
  readonly uncovered: readonly UncoveredPath[]
}

/**
 * `anyway` are skipped files that the user chose to restore. `choices` contains one choice per region of each conflict, and one for a file
 * without regions. `conversation` is the point to which the conversation goes at the same time. If absent, the conversation does not
 * change.
 */
export const UndoRequest = z.object({
  target: UndoTarget,
  plan: z.string().max(80),
  anyway: z.array(z.string().max(4096)).max(100_000).default([]),
  conversation: ConversationPoint.optional(),
  choices: z.array(z.object({ path: z.string().max(4096), choices: z.array(ConflictChoice).max(10_000) })).default([]),
})
export type UndoRequest = z.infer<typeof UndoRequest>

/** `changed`: the files differ from those in the preview, and nothing was done. */
export type UndoOutcome =
  | { readonly kind: 'done'; readonly rollback: Rollback }
  | { readonly kind: 'changed'; readonly preview: UndoPreview }
  | { readonly kind: 'refused'; readonly trouble: Trouble }

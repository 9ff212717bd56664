import { z } from 'zod'
import type { ConversationMove } from './conversation-move.ts'
import { type FileChange, type FolderChange, foldersWithoutFiles } from './file-change.ts'

/**
 * What an undo is about. `to`: the files as they were right after this step; 0: before the first. `step`: what this step changed, while
 * later work stays. `rollback`: the files as they were before an earlier undo (redo).
 */
export const UndoTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('to'), step: z.number().int().min(0) }),
  z.object({ kind: z.literal('step'), step: z.number().int().min(1) }),
  z.object({ kind: z.literal('rollback'), rollbackId: z.string().min(1).max(80) }),
])
export type UndoTarget = z.infer<typeof UndoTarget>

/**
 * Why an undo leaves a file alone. `changed-since`: by someone else, after the newest step that touched it. `changed-between`: by someone
 * else, between two of the steps. `not-a-file`: a folder or a link is there. `unreadable`: it, or its stored bytes, cannot be read.
 * `conflict`: later work changed the same lines. `not-written`: the system refused.
 */
export type SkipReason = 'changed-since' | 'changed-between' | 'not-a-file' | 'unreadable' | 'conflict' | 'not-written'

export interface SkippedFile {
  readonly path: string
  readonly shown: string
  readonly why: SkipReason
  /** In the system's words. Absent: `why` says it. */
  readonly detail?: string
}

/** Something a step may have changed and an undo does not restore. `why`: a sentence. */
export interface UncoveredPath {
  readonly shown: string
  readonly why: string
  readonly step: number
}

/** An undo. `before`: the bytes it replaces, which stay in the blob store; `after`: those it writes. */
export interface Rollback {
  readonly rollbackId: string
  readonly target: UndoTarget
  readonly files: readonly FileChange[]
  /** Absent: none. A folder that holds anything else by then stays. */
  readonly folders?: readonly FolderChange[]
  readonly skipped: readonly SkippedFile[]
  readonly uncovered: readonly UncoveredPath[]
  /** The conversation goes back too, with ROLLED_BACK. Absent: it stays. */
  readonly conversation?: ConversationMove
}

/** A completed undo, and the session's newest step at that time. */
export interface DoneRollback {
  readonly rollbackId: string
  readonly target: UndoTarget
  readonly steps: number
}

/** The undos that are in force, after one more. Going back to a point also takes back the undos that came after it. */
export function rollbacksAfter(done: readonly DoneRollback[], next: DoneRollback): readonly DoneRollback[] {
  const { target } = next
  switch (target.kind) {
    case 'step':
      return [...done, next]
    case 'to':
      return [...done.filter(({ steps }) => steps < target.step), next]
    case 'rollback': {
      const at = done.findIndex(({ rollbackId }) => rollbackId === target.rollbackId)
      return at === -1 ? done : done.slice(0, at)
    }
  }
}

/** Whether a step is undone. `done`: the undos in force. */
export function isUndoneStep(step: number, done: readonly DoneRollback[]): boolean {
  return done.some(({ target, steps }) =>
    target.kind === 'to' ? step > target.step && step <= steps : target.kind === 'step' && step === target.step,
  )
}

/** What was asked for, as the beginning of a sentence: "Went back to step 8". */
export function undoneWords(target: UndoTarget): string {
  if (target.kind === 'step') return `Undid step ${target.step}`
  if (target.kind === 'rollback') return 'Took back the undo'
  return target.step === 0 ? 'Went back to before the first step' : `Went back to step ${target.step}`
}

interface ChangedFile {
  readonly shown: string
}

/** Names in a sentence for the model; more are counted. */
const MAX_NAMES = 20

/** The note for the model about an undo, so that it does not rely on its memory of the files. */
export function undoNews({ target, files, folders = [] }: Pick<Rollback, 'target' | 'files' | 'folders'>): string {
  const names = (some: readonly ChangedFile[]): string => {
    const more = some.length - MAX_NAMES
    const listed = some.slice(0, MAX_NAMES).map(({ shown }) => shown)
    return more > 0 ? `${listed.join(', ')} and ${more} more` : listed.join(', ')
  }
  const changed = [...files, ...foldersWithoutFiles(folders, files).map(({ shown, after }) => ({ shown: `${shown}/`, after }))]
  const restored = changed.filter(({ after }) => after !== null)
  const deleted = changed.filter(({ after }) => after === null)
  const what =
    target.kind === 'step'
      ? `undid step ${target.step} and kept later work`
      : target.kind === 'to'
        ? 'took back your latest changes to files'
        : 'took back an undo, so that your changes apply again'
  const facts = [
    ...(restored.length > 0 ? [`Changed on disk: ${names(restored)}.`] : []),
    ...(deleted.length > 0 ? [`Deleted: ${names(deleted)}.`] : []),
  ]
  return [`The person ${what}.`, ...facts, 'Read a file again before you rely on its content.'].join(' ')
}

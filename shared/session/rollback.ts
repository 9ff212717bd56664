import { withoutGitRecords } from './git-change.ts'
import { listedNames } from '../lib/short-count.ts'
import { assertNever } from '../lib/assert-never.ts'
import { z } from 'zod'
import type { ConversationMove } from './conversation-move.ts'
import { type FileChange, type FolderChange, foldersWithoutFiles } from './file-change.ts'

/**
 * The target of an undo. `to`: restores the files to their state directly after this step. 0 means before the first step. `step`: undoes
 * the changes of this step and keeps later work. `rollback`: restores the files to their state before an earlier undo (redo).
 */
const UNDO_TARGETS = [
  z.object({ kind: z.literal('to'), step: z.number().int().min(0) }),
  z.object({ kind: z.literal('step'), step: z.number().int().min(1) }),
  z.object({ kind: z.literal('rollback'), rollbackId: z.string().min(1).max(80) }),
] as const
export const UndoTarget = z.discriminatedUnion('kind', UNDO_TARGETS)
export type UndoTarget = z.infer<typeof UndoTarget>

/**
 * The target of a completed undo. `refused`: the user refused these changes of a third-party agent, so they were removed from its layer.
 * `note`: the user's explanation.
 */
export const RollbackTarget = z.discriminatedUnion('kind', [
  ...UNDO_TARGETS,
  z.object({ kind: z.literal('refused'), note: z.string().nullable() }),
])
export type RollbackTarget = z.infer<typeof RollbackTarget>

/**
 * Why an undo does not change a file. `changed-since`: someone else changed it after the newest step that touched it. `changed-by-session`:
 * another session did, in the step that the detail names. `changed-between`: someone else changed it between two of the steps.
 * `in-background`: it changed while a background command ran, which may have been the work of someone else. `not-a-file`: the path is a
 * folder or a link. `unreadable`: the file, or its stored bytes, cannot be read. `conflict`: later work changed the same lines.
 * `changed-by-agent`: a third-party agent changed the same lines after the request was shown. `not-written`: the system refused to write
 * it.
 */
export type SkipReason =
  | 'changed-since'
  | 'changed-by-session'
  | 'changed-between'
  | 'in-background'
  | 'not-a-file'
  | 'unreadable'
  | 'conflict'
  | 'changed-by-agent'
  | 'not-written'

export interface SkippedFile {
  readonly path: string
  readonly shown: string
  readonly why: SkipReason
  /** The reason in the system's words. If absent, `why` is enough. */
  readonly detail?: string
}

const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  'changed-since': 'you changed it since',
  'changed-by-session': 'another session changed it since',
  'changed-between': 'you changed it between two of the steps',
  'in-background': 'it changed while a background command ran, and you may have changed it',
  'not-a-file': 'a folder or a link is there now',
  unreadable: 'it cannot be read',
  conflict: 'you chose to keep it unchanged',
  'changed-by-agent': 'the agent has changed the same lines since',
  'not-written': 'it could not be changed',
}

/** Why an undo does not change a file, as the end of a sentence without its period. */
export const undoSkipWords = ({ why, detail }: Pick<SkippedFile, 'why' | 'detail'>): string =>
  detail === undefined ? SKIP_WORDS[why] : `${SKIP_WORDS[why]} (${detail.replace(/\.$/u, '')})`

/** A path that a step may have changed and that an undo does not restore. `why` is a sentence. */
export interface UncoveredPath {
  readonly shown: string
  readonly why: string
  readonly step: number
}

/**
 * An undo. In its files, `before` is the content that the undo replaces, which is kept in the blob store, and `after` is the content that
 * the undo writes.
 */
export interface Rollback {
  readonly rollbackId: string
  readonly target: RollbackTarget
  readonly files: readonly FileChange[]
  /**
   * The folders that the undo creates, deletes or changes. If absent, there are none. A folder is deleted only if nothing else is in it at
   * that moment.
   */
  readonly folders?: readonly FolderChange[]
  readonly skipped: readonly SkippedFile[]
  readonly uncovered: readonly UncoveredPath[]
  /**
   * Set if the undo also moves the conversation back. The move takes effect when ROLLED_BACK is stored. If absent, the conversation does
   * not change.
   */
  readonly conversation?: ConversationMove
}

/** An undo that was carried out, and the session's newest step at that time. */
export interface DoneRollback {
  readonly rollbackId: string
  readonly target: RollbackTarget
  readonly steps: number
  /** Set if the system refused to write some of the files, so that the same undo can be run again. */
  readonly unfinished?: true
}

/**
 * The undos that are in force after another undo. Going back to a point also reverses the undos after that point. An undo of which only a
 * part was taken back remains in force, so that the rest can be taken back too.
 */
export function rollbacksAfter(done: readonly DoneRollback[], next: DoneRollback): readonly DoneRollback[] {
  const { target } = next
  switch (target.kind) {
    case 'step':
    case 'refused':
      return [...done, next]
    case 'to':
      return [...done.filter(({ steps }) => steps < target.step), next]
    case 'rollback': {
      const at = done.findIndex(({ rollbackId }) => rollbackId === target.rollbackId)
      return at === -1 ? done : done.slice(0, next.unfinished ? at + 1 : at)
    }
  }
}

/** Whether a step is completely undone. `done` are the undos in force. */
export function isUndoneStep(step: number, done: readonly DoneRollback[]): boolean {
  return done.some(({ target, steps, unfinished }) => {
    if (unfinished) return false
    return target.kind === 'to' ? step > target.step && step <= steps : target.kind === 'step' && step === target.step
  })
}

/** Describes the target of an undo as the beginning of a sentence: "Went back to step 8". */
export function undoneWords(target: RollbackTarget): string {
  if (target.kind === 'refused') return 'Removed the changes you refused from the layer'
  if (target.kind === 'step') return `Undid step ${target.step}`
  if (target.kind === 'rollback') return 'Redid what was undone'
  return target.step === 0 ? 'Went back to before the first step' : `Went back to step ${target.step}`
}

interface ChangedFile {
  readonly shown: string
}

/** Maximum number of names in a sentence for the model. Further names are only counted. */
const MAX_NAMES = 20

/** The note that tells the model about an undo, so that the model does not rely on its memory of the files. */
export function undoNews({ target, files, folders = [] }: Pick<Rollback, 'target' | 'files' | 'folders'>): string {
  const names = (some: readonly ChangedFile[]): string =>
    listedNames(
      some.map(({ shown }) => shown),
      MAX_NAMES,
    )
  const { others, hasRecords } = withoutGitRecords(files)
  const emptied = withoutGitRecords(foldersWithoutFiles(folders, files)).others
  const changed = [...others, ...emptied.map(({ shown, after }) => ({ shown: `${shown}/`, after }))]
  const restored = changed.filter(({ after }) => after !== null)
  const deleted = changed.filter(({ after }) => after === null)
  const facts = [
    ...(restored.length > 0 ? [`Changed on disk: ${names(restored)}.`] : []),
    ...(deleted.length > 0 ? [`Deleted: ${names(deleted)}.`] : []),
    ...(hasRecords ? ['The git repository changed too: commits, branches or staged files.'] : []),
  ]
  return [`The user ${newsWords(target)}.`, ...facts, 'Read a file again before you rely on its content.', ...noteIn(target)].join(' ')
}

function newsWords(target: RollbackTarget): string {
  switch (target.kind) {
    case 'step':
      return `undid step ${target.step} and kept later work`
    case 'to':
      return 'reverted your latest changes to files'
    case 'rollback':
      return 'reverted an undo, so that your changes apply again'
    case 'refused':
      return 'refused some of your changes, so they were removed from your files'
    default:
      return assertNever(target)
  }
}

function noteIn(target: RollbackTarget): readonly string[] {
  return target.kind === 'refused' && target.note !== null ? [`The user’s note: ${target.note}`] : []
}

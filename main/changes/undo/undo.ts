import { newId } from '../../../shared/lib/ids.ts'
import type { ConversationMove } from '../../../shared/session/conversation-move.ts'
import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import type { Rollback, SkippedFile, UndoTarget } from '../../../shared/session/rollback.ts'
import { isIdle } from '../../../shared/session/fold/run-state.ts'
import type { ConflictChoice } from '../../../shared/lib/lines/line-conflict.ts'
import type { UndoOutcome, UndoPreview, UndoRequest } from '../../../shared/session/undo-preview.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import type { SignedFile } from '../../agent/ports/command-copies.ts'
import type { EventLog } from '../../agent/ports/event-log.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import { countChangedLinesInSlices } from '../count-changed-lines.ts'
import { neededFolders } from './carry-out-folder.ts'
import { carryOut } from './carry-out.ts'
import { type PlanParts, planUndo, type UndoPlan, withMerged } from './undo-plan.ts'
import type { Change } from './read-changes.ts'

export interface UndoParts extends PlanParts {
  /** Returns all changes of the session and its subagents, oldest first. */
  changes(): Promise<readonly Change[]>
  /** The folder's write lock, so that no step runs at the same time. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /**
   * Called with the files that the undo is about to write, so that they are not mistaken for the work of a confined command. May be left
   * out if no command runs confined.
   */
  sign?(files: readonly SignedFile[]): void
}

/** The files and folders that an undo will change, and what it will leave unchanged. */
export type DecidedUndo = Omit<Rollback, 'rollbackId'>

/** The session's log, with its state. */
interface UndoRecord extends Pick<EventLog, 'append' | 'read'> {
  state(): Pick<SessionState, 'run' | 'rollingBack'>
  /** Rejects with a `StorageError` if the event could not be stored. */
  appendOnDisk(event: DurableEvent): Promise<void>
}

/**
 * Undoes what a session did to files. Changes nothing that is not in the preview, and no file whose bytes differ from those that the
 * preview compared. Replaced bytes remain in the blob store, so that each undo can be undone.
 */
export interface Undo {
  preview(target: UndoTarget): Promise<UndoPreview>
  /**
   * Runs only while no turn is running. Rejects with a `StorageError` if the undo could not be recorded. In that case nothing has changed.
   * `conversation`: the point to which the conversation returns with the undo. Null or left out if it does not change.
   */
  run(record: UndoRecord, request: UndoRequest, conversation?: ConversationMove | null): Promise<UndoOutcome>
  /**
   * Like `run`, but the caller decides which files change, at a time at which no step and no other undo can change them. Null if `decide`
   * returns null. `inTurn`: whether the turn that is running has asked for it.
   */
  carryOut(record: UndoRecord, decide: () => Promise<DecidedUndo | null>, inTurn: boolean): Promise<UndoOutcome | null>
  /** Finishes an undo that an earlier process did not finish. */
  finish(record: UndoRecord): Promise<void>
}

export function createUndo(parts: UndoParts): Undo {
  const planFor = async (target: UndoTarget): Promise<UndoPlan> => planUndo(await parts.changes(), target, parts)
  const carryOutSigned = (rollback: Rollback): Promise<Rollback> => {
    parts.sign?.(rollback.files.flatMap(({ path, after }) => (after === null ? [] : [{ path, hash: after }])))
    return carryOut(rollback, parts)
  }
  const recorded = async (record: UndoRecord, { folders: planned = [], ...decided }: DecidedUndo): Promise<UndoOutcome> => {
    const folders = await neededFolders(decided.files, planned, parts.env)
    const rollback = { rollbackId: newId('undo'), ...decided, ...(folders.length > 0 && { folders }) }
    try {
      await record.appendOnDisk({ kind: 'ROLLBACK_STARTED', ...rollback })
    } catch (error) {
      // The log contains the undo, but could not be synced. Without this event, the next start would carry it out.
      if (record.state().rollingBack !== null) record.append({ kind: 'ROLLED_BACK', ...nothingDone(rollback, error) })
      throw error
    }
    const done = await carryOutSigned(rollback)
    record.append({ kind: 'ROLLED_BACK', ...done })
    return { kind: 'done', rollback: done }
  }
  const finish = async (record: UndoRecord): Promise<void> => {
    const { rollingBack } = record.state()
    if (rollingBack === null) return
    for (const { event } of record.read({ after: rollingBack - 1 })) {
      if (event.kind !== 'ROLLBACK_STARTED') continue
      const { kind: _, ...rollback } = event
      record.append({ kind: 'ROLLED_BACK', ...(await carryOutSigned(rollback)) })
      return
    }
  }
  return {
    preview: async (target) => (await planFor(target)).preview,
    finish: (record) => parts.exclusively(() => finish(record)),
    run: (record, request, conversation) =>
      parts.exclusively(async () => {
        if (!isIdle(record.state())) return { kind: 'refused', trouble: TURN_RUNS }
        await finish(record)
        const plan = await planFor(request.target)
        if (plan.preview.plan !== request.plan) return { kind: 'changed', preview: plan.preview }
        const decided = await rollbackOf(plan, request, parts)
        if ('code' in decided) return { kind: 'refused', trouble: decided }
        return recorded(record, { ...decided, folders: plan.preview.folders, ...(conversation && { conversation }) })
      }),
    carryOut: (record, decide, inTurn) =>
      parts.exclusively(async () => {
        if (!inTurn && !isIdle(record.state())) return { kind: 'refused', trouble: TURN_RUNS }
        await finish(record)
        const decided = await decide()
        return decided && recorded(record, decided)
      }),
  }
}

/** The undo as one that has changed no file and has not moved the conversation. */
function nothingDone({ rollbackId, target, files, skipped, uncovered }: Rollback, error: unknown): Rollback {
  const detail = error instanceof Error ? error.message : String(error)
  const left = files.map(({ path, shown }): SkippedFile => ({ path, shown, why: 'not-written', detail }))
  return { rollbackId, target, files: [], skipped: [...skipped, ...left], uncovered }
}

/** Combines the plan with the user's decisions. The result is recorded before it is executed. */
async function rollbackOf(
  { preview, merges }: UndoPlan,
  { anyway, choices }: UndoRequest,
  { blobs }: UndoParts,
): Promise<DecidedUndo | Trouble> {
  const restored = new Set(anyway)
  const files = preview.files.map(({ change }) => change)
  const skipped = preview.skipped.flatMap(({ change, path, shown, why, detail }) => {
    const file = { path, shown, why, ...(detail !== undefined && { detail }) }
    if (!restored.has(path) || change === null) return [file]
    files.push(change)
    return []
  })
  const decided = new Map(choices.map((one) => [one.path, one.choices]))
  for (const { path, shown, change } of preview.conflicts) {
    const own = decided.get(path)
    if (!own) return unresolved(shown)
    const open = merges.get(path) ?? null
    if (own.length !== (open?.merge.parts.filter(({ kind }) => kind === 'conflict').length ?? 1)) return unresolved(shown)
    const resolved = open ? await withMerged(change, open, own, { blobs }) : await wholeFile(change, own, blobs)
    if (resolved) files.push(resolved)
    else skipped.push({ path, shown, why: 'conflict' })
  }
  if (files.length + preview.folders.length === 0) return NOTHING_TO_UNDO
  return { target: preview.target, files, skipped, uncovered: preview.uncovered }
}

/** Null if the file remains unchanged. */
async function wholeFile(change: Rollback['files'][number], [choice = 'now']: readonly ConflictChoice[], blobs: BlobStore) {
  if (choice === 'now') return null
  if (choice === 'before') return change
  const bytes = Buffer.from(choice.text, 'utf8')
  const lines = await countChangedLinesInSlices(change.before && (await blobs.getInSlices(change.before)), bytes)
  const { afterKind: _, ...file } = change
  return { ...file, after: blobs.put(bytes), afterBytes: bytes.length, afterMode: change.beforeMode ?? change.afterMode ?? 0o644, lines }
}

const TURN_RUNS: Trouble = {
  code: 'turn_runs',
  what: 'The agent is still working, so nothing was undone.',
  kept: 'All files are unchanged.',
  todo: 'Stop the turn or wait for it to end, then undo.',
}

const NOTHING_TO_UNDO: Trouble = {
  code: 'nothing_to_undo',
  what: 'There is nothing to undo: no file would change.',
  kept: 'All files are unchanged.',
  todo: 'Choose an earlier step, or restore a skipped file anyway.',
}

function unresolved(shown: string): Trouble {
  return {
    code: 'unresolved_conflict',
    what: `Nothing was undone: ${shown} has an unresolved conflict.`,
    kept: 'All files are unchanged.',
    todo: 'For each conflict, choose which lines to keep.',
  }
}

import { hash } from 'node:crypto'
import type { FileChange } from '../../../shared/session/file-change.ts'
import type { SkipReason, UndoTarget } from '../../../shared/session/rollback.ts'
import type { SkippedUndo, UndoConflict, UndoneFile, UndoPreview } from '../../../shared/session/undo-preview.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { concatInSlices, createSlices } from '../../agent/event-loop-slices.ts'
import { countChangedLinesInSlices } from '../count-changed-lines.ts'
import { type FileState, type Intention, undoGoalsOf, sameState } from './undo-goals.ts'
import { mergedPieces, mergeStepInSlices } from './merge-step.ts'
import { createPlannedFolders, type OpenMerge, type Planned, type PlannedFolders } from './planned-folders.ts'
import type { Change } from './read-changes.ts'
import { bytesOf, type DiskEntry, diskEntryAt } from './disk-entry.ts'

export interface PlanParts {
  readonly env: ExecutionEnvironment
  readonly blobs: BlobStore
  /** The newest change of a file that any session recorded after the event `seq`. If absent, other sessions are not known. */
  changeAfter?(seq: number, path: string): SessionsChange | null
}

/** A change by a session. `step` is null for an undo. `after`: the hash of the content, or null if the file was deleted. */
interface SessionsChange {
  readonly title: string
  readonly step: number | null
  readonly after: BlobHash | null
}

/**
 * A preview, and the merges from which files are made once the user has decided the conflicts. `merges`: by path, or null for a file in
 * conflict that cannot be merged line by line.
 */
export interface UndoPlan {
  readonly preview: UndoPreview
  readonly merges: ReadonlyMap<string, OpenMerge | null>
}

/** Compares the log with the disk. Afterwards, the blob store contains the current bytes of every file that could be replaced. */
export async function planUndo(changes: readonly Change[], target: UndoTarget, parts: PlanParts): Promise<UndoPlan> {
  const { files: intentions, folders: folderIntentions, uncovered } = undoGoalsOf(changes, target)
  const files: UndoneFile[] = []
  const skipped: SkippedUndo[] = []
  const conflicts: UndoConflict[] = []
  const merges = new Map<string, OpenMerge | null>()
  const slice = createSlices()
  const newest = newestChanges(changes)
  const restored = [...intentions, ...folderIntentions].flatMap(({ goal, path }) => (goal === null ? [] : [path]))
  const folders = createPlannedFolders(parts.env, restored)
  const planOne = async (intention: Intention): Promise<void> => {
    await slice()
    const planned = await planFile(intention, target, { ...parts, folders, since: newest.get(intention.path) ?? 0 })
    folders.planned(planned)
    if (planned.kind === 'file') files.push(planned.file)
    else if (planned.kind === 'skipped') skipped.push(planned.skipped)
    else if (planned.kind === 'conflict') {
      conflicts.push(planned.conflict)
      merges.set(planned.conflict.path, planned.merge)
    }
  }
  const inOrder = intentions.toSorted(byPath)
  for (const intention of inOrder) if (intention.goal === null) await planOne(intention)
  for (const one of folderIntentions.toSorted(byPath).toReversed()) if (one.goal === null) await folders.plan(one)
  for (const one of folderIntentions.toSorted(byPath)) if (one.goal !== null) skipped.push(...(await folders.plan(one)))
  for (const intention of inOrder) if (intention.goal !== null) await planOne(intention)
  const byName = <T extends Pick<FileChange, 'path'>>(all: readonly T[]): readonly T[] => all.toSorted(byPath)
  const found = {
    target,
    skipped: byName(skipped),
    conflicts: byName(conflicts),
    folders: folders.changes(),
    files: files.toSorted((a, b) => byPath(a.change, b.change)),
  }
  return { preview: { ...found, plan: planName(found), uncovered }, merges }
}

/** For each file, the number of the event that recorded its newest change. */
function newestChanges(changes: readonly Change[]): ReadonlyMap<string, number> {
  // Changes of an imported subagent have fractional numbers.
  return new Map(changes.flatMap(({ seq, files }) => files.map(({ path }) => [path, Math.floor(seq)] as const)))
}

const byPath = (a: Pick<FileChange, 'path'>, b: Pick<FileChange, 'path'>): number => (a.path < b.path ? -1 : 1)

interface FilePlanParts extends PlanParts {
  /** The number of the event that recorded the newest change of this session to the file. */
  readonly since: number
}

/** The step of another session that left the file in its current state: "step 3 of “Mend VAT”". Null if someone else did. */
function otherStep({ changeAfter, since }: FilePlanParts, path: string, state: FileState): string | null {
  const last = changeAfter?.(since, path)
  // An editor may have changed the file after the session did.
  if (!last || last.after !== (state?.hash ?? null)) return null
  return `${last.step === null ? 'an undo' : `step ${last.step}`} of “${last.title || 'New session'}”`
}

async function planFile(
  intention: Intention,
  target: UndoTarget,
  parts: FilePlanParts & { readonly folders: PlannedFolders },
): Promise<Planned> {
  const { path, goal, last, hasGap } = intention
  const now = parts.folders.after(path, await diskEntryAt(parts.env, path))
  if (now.kind === 'other' || now.kind === 'folder')
    return goal === null && last === null ? { kind: 'nothing' } : skipped(intention, 'not-a-file')
  if (now.kind === 'unreadable') return skipped(intention, 'unreadable', { detail: now.detail })
  const state = now.kind === 'file' ? now.state : null
  if (sameState(state, goal)) return { kind: 'nothing' }
  if (goal && !parts.blobs.has(goal.hash)) return skipped(intention, 'unreadable', { detail: 'Its stored bytes are missing.' })
  if (now.kind === 'file' && !parts.blobs.has(now.state.hash)) await parts.blobs.putInSlices(now.bytes)
  const change = await changeOf(intention, state, goal, parts)
  if (intention.inBackground) return skipped(intention, 'in-background', { change })
  if (target.kind === 'step') return planStep(intention, { now, change }, parts)
  if (!sameState(state, last)) {
    const other = otherStep(parts, path, state)
    return other === null
      ? skipped(intention, 'changed-since', { change })
      : skipped(intention, 'changed-by-session', { change, detail: other })
  }
  if (hasGap) return skipped(intention, 'changed-between', { change })
  return { kind: 'file', file: { change, steps: intention.steps, merged: false } }
}

interface Found {
  readonly now: Extract<DiskEntry, { kind: 'file' | 'absent' }>
  /** The change from the current file to the file before the step. */
  readonly change: FileChange
}

/** Keeps later work in the file by merging its lines. */
async function planStep(intention: Intention, { now, change }: Found, parts: FilePlanParts): Promise<Planned> {
  const { path, shown, goal, last, steps, later, hasGap } = intention
  const state = now.kind === 'file' ? now.state : null
  if (sameState(state, last) && !hasGap) return { kind: 'file', file: { change, steps, merged: false } }
  const conflict = (regions: UndoConflict['regions'], merge: OpenMerge | null): Planned => {
    const other = later.length === 0 ? otherStep(parts, path, state) : null
    return { kind: 'conflict', conflict: { path, shown, regions, change, later, ...(other !== null && { other }) }, merge }
  }
  if (now.kind !== 'file' || goal === null || last === null || hasGap) return conflict([], null)
  if ([now.state, goal, last].some(({ kind }) => kind === 'link')) return conflict([], null)
  if (!parts.blobs.has(last.hash)) return skipped(intention, 'unreadable', { detail: 'Its stored bytes are missing.' })
  const merge = await mergeStepInSlices({
    before: await parts.blobs.getInSlices(goal.hash),
    step: await parts.blobs.getInSlices(last.hash),
    now: now.bytes,
  })
  if (merge === null) return conflict([], null)
  const regions = merge.parts.flatMap((part) => (part.kind === 'conflict' ? [part.region] : []))
  // The permissions are restored only if nobody has changed them since the step.
  const open = { merge, mode: now.state.mode === last.mode ? goal.mode : now.state.mode }
  if (regions.length > 0) return conflict(regions, open)
  const merged = await withMerged(change, open, [], parts)
  if (merged === null) return { kind: 'nothing' }
  return { kind: 'file', file: { change: merged, steps, merged: true } }
}

/** Returns `change` with the merged lines and permissions as its result. Null if nothing would change, or if a choice is missing. */
export async function withMerged(
  change: FileChange,
  { merge, mode }: OpenMerge,
  choices: Parameters<typeof mergedPieces>[1],
  { blobs }: Pick<PlanParts, 'blobs'>,
): Promise<FileChange | null> {
  const pieces = mergedPieces(merge, choices)
  if (pieces === null) return null
  const bytes = await concatInSlices(pieces)
  const after = await blobs.putInSlices(bytes)
  if (after === change.before && mode === change.beforeMode) return null
  const before = change.before && (await blobs.getInSlices(change.before))
  return { ...change, after, afterBytes: bytes.length, afterMode: mode, lines: await countChangedLinesInSlices(before, bytes) }
}

async function changeOf({ path, shown }: Intention, now: FileState, goal: FileState, { blobs }: PlanParts): Promise<FileChange> {
  return {
    path,
    shown,
    before: now?.hash ?? null,
    after: goal?.hash ?? null,
    beforeBytes: now?.bytes ?? 0,
    afterBytes: goal?.bytes ?? 0,
    beforeMode: now?.mode ?? null,
    afterMode: goal?.mode ?? null,
    ...(now?.kind && { beforeKind: now.kind }),
    ...(goal?.kind && { afterKind: goal.kind }),
    lines:
      now?.hash === goal?.hash
        ? { added: 0, removed: 0 }
        : await countChangedLinesInSlices(await bytesOf(blobs, now), await bytesOf(blobs, goal)),
  }
}

function skipped(
  { path, shown, steps }: Intention,
  why: SkipReason,
  { change = null, detail }: { readonly change?: FileChange | null; readonly detail?: string } = {},
): Planned {
  return { kind: 'skipped', skipped: { path, shown, why, change, steps, ...(detail !== undefined && { detail }) } }
}

function planName(plan: Omit<UndoPreview, 'plan' | 'uncovered'>): string {
  const facts = (change: FileChange | null) =>
    change && [change.path, change.before, change.after, change.beforeMode, change.afterMode, change.beforeKind, change.afterKind]
  return hash(
    'sha256',
    JSON.stringify([
      plan.target,
      plan.files.map(({ change }) => facts(change)),
      plan.skipped.map(({ path, why, change }) => [path, why, facts(change)]),
      plan.conflicts.map(({ change, regions }) => [facts(change), regions]),
      plan.folders,
    ]),
  )
}

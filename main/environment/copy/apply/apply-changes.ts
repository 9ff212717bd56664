import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assertNever } from '../../../../shared/lib/assert-never.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import type { ApplyOutcome, CopyChange, CopyChangeSet, CopyObstacle, IgnoredTree } from '../../../agent/ports/command-copies.ts'
import { codeOf, whyNot } from '../../environment-failure.ts'
import { type Step, stepsOf } from './apply-order.ts'
import { foldersAbove } from '../changes/change-set.ts'
import { isUntouched, entryAt } from '../changes/folder-entries.ts'
import { cleanUp, type Journal, notUndoneTrouble, undoApplied, writeJournal } from '../apply-journal.ts'
import type { Layer } from '../overlay-layer.ts'
import { makeStaging, stage, stagingFor, stageTree, type NewBytes } from './stage.ts'
import { ChangedMeanwhile, takeStep } from './apply-steps.ts'
import { groupedCount } from '../../../../shared/lib/short-count.ts'

export interface Application {
  /** The layer that contains the journal and, on most machines, the staged files. */
  readonly layer: Layer
  readonly newBytes: NewBytes
  /** Returns where an ignored tree of the change set is now. */
  readonly treePath: (path: string, tree: IgnoredTree) => string
  /** The real path of the project folder. */
  readonly folder: string
  readonly changeSet: CopyChangeSet
  /** Paths of the changes that are applied. Null if all are applied. */
  readonly only: readonly string[] | null
}

/** Applies the change set to the real folder, completely or not at all. */
export async function applyChanges({ layer, folder, changeSet, only, newBytes, treePath }: Application): Promise<ApplyOutcome> {
  const [obstacle] = changeSet.obstacles
  if (obstacle) return { kind: 'refused', reason: reasonOf(obstacle), path: 'path' in obstacle ? obstacle.path : null }
  const chosen = only === null ? changeSet.changes : chosenOf(changeSet.changes, new Set(only))
  if (chosen.length === 0) return { kind: 'applied' }
  const steps = stepsOf(chosen)
  // If the repository does not exist yet, no git process can be using it.
  const changesGit = chosen.some(({ path }) => path.startsWith('.git/')) && !chosen.some(({ path }) => path === '.git')
  const lock: readonly Step[] = changesGit ? [{ kind: 'lock', path: '.git/index.lock', token: randomUUID() }] : []
  const journal: Journal = { folder, staging: await stagingFor(layer, folder), steps: [...lock, ...steps], isDone: false }
  const taken: Step[] = []
  try {
    await writeJournal(layer, journal)
    await makeStaging(journal.staging)
    await stageAll(journal, steps, newBytes)
    for (const step of steps) if (step.kind === 'put-tree') await stageTree(journal, step, treePath(step.path, step.tree))
    await takeAll(journal, chosen, taken)
    await syncFolders(journal)
    await writeJournal(layer, { ...journal, isDone: true })
  } catch (error) {
    const notUndone = await undone(journal, taken)
    if (notUndone) return { kind: 'refused', reason: `${notUndone.what} ${notUndone.kept}`, path: null, notUndone }
    return refusal(error)
  }
  await cleanUp(journal)
  return { kind: 'applied' }
}

/** Number of changes that are prepared at the same time. Each waits for the disk most of the time. */
const AT_ONCE = 16

async function stageAll(journal: Journal, steps: readonly Step[], newBytes: NewBytes): Promise<void> {
  const puts = steps.filter((step) => step.kind === 'put')
  await mapAtOnce(puts, AT_ONCE, (step) => stage(journal, step, newBytes))
}

/** Undoes only the steps that were taken: at the path of any other step, whatever is there belongs to the user. */
async function undone(journal: Journal, taken: readonly Step[]): Promise<Trouble | null> {
  try {
    await undoApplied({ ...journal, steps: taken })
    await cleanUp(journal)
    return null
  } catch (error) {
    return notUndoneTrouble(journal, error)
  }
}

/** Every completed step is added to `taken`, and so is a failed deletion, because a part of it may have happened. */
async function takeAll(journal: Journal, chosen: readonly CopyChange[], taken: Step[]): Promise<void> {
  const take = async (step: Step): Promise<void> => {
    // Only this step can fail after it has changed something: it moves the entry first, and then compares it.
    if (step.kind === 'remove') taken.push(step)
    await takeStep(journal, step)
    if (step.kind !== 'remove') taken.push(step)
  }
  const [first, ...rest] = journal.steps
  const isLocked = first?.kind === 'lock'
  if (isLocked) await take(first)
  await mapAtOnce(chosen, AT_ONCE, (change) => mustBeAsBefore(journal.folder, change))
  const slice = createSlices()
  for (const step of isLocked ? rest : journal.steps) {
    await slice()
    await take(step)
  }
  // Fails if, after the first check, a program wrote to a removed file that it still had open.
  for (const step of journal.steps)
    if (step.kind === 'remove' && !isUntouched(await entryAt(join(journal.staging, step.aside)), step.before))
      throw new ChangedMeanwhile(step.path)
}

/**
 * A check before anything is changed, so that most refusals have no side effects. The decisive check happens when the entry is replaced.
 */
async function mustBeAsBefore(folder: string, change: CopyChange): Promise<void> {
  if (change.kind === 'created') return
  if (!isUntouched(await entryAt(join(folder, change.path)), change.before)) throw new ChangedMeanwhile(change.path)
}

/** The chosen changes and the new folders that they need. Leaves out the removal of a folder in which something remains. */
function chosenOf(changes: readonly CopyChange[], only: ReadonlySet<string>): readonly CopyChange[] {
  const needed = new Set(changes.flatMap(({ kind, path }) => (kind !== 'deleted' && only.has(path) ? [...foldersAbove(path)] : [])))
  const isNeeded = (change: CopyChange): boolean => change.kind === 'created' && change.after.kind === 'folder' && needed.has(change.path)
  const chosen = changes.filter((change) => only.has(change.path) || isNeeded(change))
  const kept = changes.filter(({ kind, path }) => kind === 'deleted' && !only.has(path))
  const stays = new Set(kept.flatMap(({ path }) => [...foldersAbove(path)]))
  return chosen.filter(({ kind, path }) => kind !== 'deleted' || !stays.has(path))
}

/** Makes sure that the new names survive a power failure. */
async function syncFolders({ folder, steps }: Journal): Promise<void> {
  for (const path of new Set(steps.map((step) => dirname(join(folder, step.path))))) {
    const handle = await open(path).catch(() => null)
    await handle?.sync().catch(() => {})
    await handle?.close()
  }
}

function refusal(error: unknown): ApplyOutcome {
  if (error instanceof ChangedMeanwhile)
    return { kind: 'refused', reason: `Nothing was applied: ${error.path}: ${error.reason}.`, path: error.path }
  if (codeOf(error) === null) throw error
  return {
    kind: 'refused',
    reason: `Nothing was applied, because a file or folder could not be read or changed: ${whyNot(error)} (${codeOf(error)}).`,
    path: null,
  }
}

function reasonOf(obstacle: CopyObstacle): string {
  switch (obstacle.kind) {
    case 'changed-meanwhile':
      return `Nothing was applied: ${obstacle.path || 'the folder'} has changed since the command began. Run the command again.`
    case 'unreadable-file':
      return `Nothing was applied: ${obstacle.path} cannot be read, so it cannot be compared with what the command saw.`
    case 'unreadable-name':
      return `Nothing was applied: the name of ${obstacle.path} is not valid UTF-8, so it cannot be shown.`
    case 'unreadable-link':
      return `Nothing was applied: the target of the link ${obstacle.path} is not valid UTF-8, so it cannot be shown or put back.`
    case 'long-path':
      return 'Nothing was applied: a path is longer than the 4,096 bytes that the system allows.'
    case 'too-many-files':
      return `Nothing was applied: the command changed more than ${groupedCount(obstacle.limit)} files.`
    case 'blocked':
      return `Nothing was applied: the command would remove ${obstacle.what}, which is blocked in every mode.`
    case 'stopped':
      return `Nothing was applied. ${obstacle.reason}`
    case 'too-many-bytes':
      return `Nothing was applied: the command wrote more than ${Math.round(obstacle.limit / 1024 ** 2)} MB.`
    default:
      return assertNever(obstacle)
  }
}

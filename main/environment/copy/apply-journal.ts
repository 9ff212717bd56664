import { open, readFile, rename } from 'node:fs/promises'
import { z } from 'zod'
import type { Trouble } from '../../../shared/session/events.ts'
import { codeOf, whyNot } from '../environment-failure.ts'
import { stepSchema } from './apply/apply-order.ts'
import { inParentOf, PlaceTaken, undoStep, unlock } from './apply/apply-steps.ts'
import { removeFolder } from './changes/tree-thread.ts'
import { removeEntry } from './guard/entries-by-handle.ts'
import { type Layer, layersLeftBehind, removeLayer, temporariesLeftBehind } from './overlay-layer.ts'
import { isBelow } from './start/sandbox-view.ts'

const journalSchema = z
  .object({ folder: z.string(), staging: z.string(), steps: z.array(stepSchema).readonly(), isDone: z.boolean() })
  .readonly()

/** What a start after a crash needs to know. `isDone`: every step was taken, and only the cleanup is missing. */
export type Journal = z.infer<typeof journalSchema>

/** When this returns, the journal is on the disk, completely or not at all. */
export async function writeJournal({ journal, path }: Layer, entry: Journal): Promise<void> {
  const handle = await open(`${journal}.new`, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(entry))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${journal}.new`, journal)
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Undoes the steps, last step first. If a step cannot be undone, the others are undone anyway. Then it rejects with the first failure.
 */
export async function undoApplied(journal: Journal): Promise<void> {
  const failures: unknown[] = []
  for (const step of journal.steps.toReversed()) await undoStep(journal, step).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

export function notUndoneTrouble({ folder, staging }: Pick<Journal, 'folder' | 'staging'>, error: unknown): Trouble {
  return {
    code: 'command-half-applied',
    what: `Applying the changes of a command to ${folder} was interrupted, and its first steps could not be undone: ${whyNot(error)}.`,
    kept: `The files that were replaced are kept in ${staging}.`,
    todo:
      error instanceof PlaceTaken
        ? `Move away what is in the place of the old file, or create its folder again, and restart Countersign, which then puts the old file back. If you do not need the old file, delete ${staging}.`
        : 'Make the folder writable again and restart Countersign: each start tries to undo the rest.',
  }
}

/** Removes the replaced files, which are no longer needed. */
export async function cleanUp(journal: Journal): Promise<void> {
  for (const step of journal.steps)
    if (step.kind === 'lock') await inParentOf(journal.folder, step.path, (at) => unlock(at, step.token)).catch(() => {})
  // In the project, another command may be running, which could replace a folder with a link.
  await (isBelow(journal.folder, journal.staging) ? removeEntry(journal.staging) : removeFolder(journal.staging))
}

/**
 * Cleans up what killed processes have left in `layers`: an interrupted application is rolled back, and every copy is removed. Copies of
 * running processes are left alone. Returns what could not be cleaned up. It is kept, and each start tries again.
 */
export async function recoverCopies(layers: string): Promise<readonly Trouble[]> {
  const troubles: Trouble[] = []
  for (const layer of await layersLeftBehind(layers)) {
    const trouble = await recover(layer)
    if (trouble) troubles.push(trouble)
  }
  for (const temporary of await temporariesLeftBehind(layers)) await removeLayer(temporary).catch(() => {})
  return troubles
}

async function recover(layer: Layer): Promise<Trouble | null> {
  let journal: Journal | null
  try {
    journal = await readJournal(layer)
  } catch (error) {
    return unreadableTrouble(layer, error)
  }
  try {
    if (journal && !journal.isDone) await undoApplied(journal)
    if (journal) await cleanUp(journal)
  } catch (error) {
    return notUndoneTrouble(journal ?? { folder: layer.path, staging: layer.staged }, error)
  }
  // A layer that cannot be removed only takes space on the disk. The next start tries again.
  await removeLayer(layer).catch(() => {})
  return null
}

/** Null if nothing was being applied. */
async function readJournal(layer: Layer): Promise<Journal | null> {
  let text: string
  try {
    text = await readFile(layer.journal, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  return journalSchema.parse(JSON.parse(text))
}

function unreadableTrouble(layer: Layer, error: unknown): Trouble {
  const why = error instanceof z.ZodError ? z.prettifyError(error) : whyNot(error)
  return {
    code: 'command-journal-unreadable',
    what: `The changes of a command may be half applied: the journal ${layer.journal} cannot be read (${why}).`,
    kept: `The files that were replaced are kept in ${layer.staged}.`,
    todo: `Compare the files there with your folder, then delete ${layer.path}.`,
  }
}

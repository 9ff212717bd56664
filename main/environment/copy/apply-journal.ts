import { open, readFile, readlink, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Trouble } from '../../../shared/session/events.ts'
import { codeOf, whyNot } from '../environment-failure.ts'
import { stepSchema } from './apply/apply-order.ts'
import { inParentOf, PlaceTaken, undoStep, unlock } from './apply/apply-steps.ts'
import type { IsControl } from './changes/ignored-tree.ts'
import { checkAfterKill, type FoundAfterKill } from './guard/check-after-kill.ts'
import { removeEntry } from './guard/entries-by-handle.ts'
import { type Layer, layersLeftBehind, removeLayer, sharedLeftBehind } from './overlay-layer.ts'
import { isBelow } from './start/sandbox-view.ts'

const journalSchema = z
  .object({ folder: z.string(), staging: z.string(), steps: z.array(stepSchema).readonly(), isDone: z.boolean() })
  .readonly()

/** What the app needs to know when it starts after a crash. `isDone`: every step was taken, and only the cleanup remains. */
export type Journal = z.infer<typeof journalSchema>

/**
 * Writes the journal so that, even after a crash, the disk contains either all of it or nothing. Once the promise resolves, the journal is
 * on the disk.
 */
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
 * Undoes the steps, last step first. If a step cannot be undone, the others are undone anyway, and then the call rejects with the first
 * failure.
 */
export async function undoApplied(journal: Journal): Promise<void> {
  const failures: unknown[] = []
  for (const step of journal.steps.toReversed()) await undoStep(journal, step).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

export function notUndoneTrouble({ folder, staging }: Pick<Journal, 'folder' | 'staging'>, error: unknown): Trouble {
  return {
    code: 'command-half-applied',
    what: `Applying a command’s changes to ${folder} was interrupted, and the steps already taken could not be undone: ${whyNot(error)}.`,
    kept: `The files that were replaced are kept in ${staging}.`,
    todo:
      error instanceof PlaceTaken
        ? `Move whatever is now at the old file’s path out of the way, or create the missing folder again. Then restart Countersign, which puts the old file back. If you do not need the old file, delete ${staging}.`
        : 'Make the folder writable again and restart Countersign: each launch tries to undo the rest.',
  }
}

/** Removes git's lock, and the replaced files if they are in the project. The caller removes the layer with all others. */
export async function cleanUp(journal: Journal): Promise<void> {
  for (const step of journal.steps)
    if (step.kind === 'lock') await inParentOf(journal.folder, step.path, (at) => unlock(at, step.token)).catch(() => {})
  // If the staging folder is in the project, a running command could replace a folder with a link, so it is removed by `removeEntry`, which
  // follows no links.
  if (isBelow(journal.folder, journal.staging)) await removeEntry(journal.staging)
}

/**
 * Cleans up what killed processes have left in `layers`: a change set that was only partly applied is rolled back, and every copy is
 * removed. Copies of running processes are left alone. If a confined program ran, its folder is checked for control files that it made.
 * Returns what was found, and what could not be cleaned up. The latter is kept, and each launch tries again.
 */
export async function recoverCopies(layers: string, isControl: IsControl = () => false): Promise<readonly Recovered[]> {
  const found: Recovered[] = []
  for (const layer of await layersLeftBehind(layers)) found.push(...(await recover(layer, layers, isControl)))
  for (const shared of await sharedLeftBehind(layers)) await removeLayer(shared).catch(() => {})
  return found
}

/** What the user must be told when the app starts after a crash. */
export type Recovered =
  | { readonly kind: 'trouble'; readonly folder: string; readonly trouble: Trouble }
  | ({ readonly kind: 'control-files' } & FoundAfterKill)

async function recover(layer: Layer, layers: string, isControl: IsControl): Promise<readonly Recovered[]> {
  const undone = await recoverApplication(layer)
  if (undone) return [undone]
  let found: FoundAfterKill | null
  try {
    found = await checkAfterKill(layer.path, layers, isControl)
  } catch (error) {
    const folder = await folderOf(layer)
    return [{ kind: 'trouble', folder, trouble: uncheckedTrouble(layer, folder, error) }]
  }
  // A layer that cannot be removed only takes space on the disk. The next launch tries again.
  await removeLayer(layer).catch(() => {})
  return found ? [{ kind: 'control-files', ...found }] : []
}

/** The folder to which a layer belongs. */
const folderOf = ({ path }: Layer): Promise<string> => readlink(join(path, 'low')).catch(() => path)

async function recoverApplication(layer: Layer): Promise<Recovered | null> {
  let journal: Journal | null
  try {
    journal = await readJournal(layer)
  } catch (error) {
    return { kind: 'trouble', folder: await folderOf(layer), trouble: unreadableTrouble(layer, error) }
  }
  try {
    if (journal && !journal.isDone) await undoApplied(journal)
    if (journal) await cleanUp(journal)
  } catch (error) {
    const at = journal ?? { folder: await folderOf(layer), staging: layer.staged }
    return { kind: 'trouble', folder: at.folder, trouble: notUndoneTrouble(at, error) }
  }
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

function uncheckedTrouble({ path }: Layer, folder: string, error: unknown): Trouble {
  const why = error instanceof z.ZodError ? z.prettifyError(error) : whyNot(error)
  return {
    code: 'control-files-unchecked',
    what: `Countersign was killed while a confined program was running, and the control files in ${folder} cannot be checked (${why}).`,
    kept: 'The folder is unchanged.',
    todo: `Look for new control files in this folder, such as AGENTS.md, .mcp.json or .claude. Then delete ${path}.`,
  }
}

function unreadableTrouble(layer: Layer, error: unknown): Trouble {
  const why = error instanceof z.ZodError ? z.prettifyError(error) : whyNot(error)
  return {
    code: 'command-journal-unreadable',
    what: `A command’s changes may be only partly applied: the journal ${layer.journal} cannot be read (${why}).`,
    kept: `The files that were replaced are kept in ${layer.staged}.`,
    todo: `Compare the files there with your folder, then delete ${layer.path}.`,
  }
}

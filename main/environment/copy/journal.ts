import { open, readFile, rename, rm } from 'node:fs/promises'
import type { Step } from './apply-order.ts'
import { type Layer, layersLeftBehind, removeLayer } from './layer.ts'
import { type Ground, undo, unlock } from './steps.ts'
import { inParentOf } from './parent-folder.ts'

/** What a start after a crash needs to know. `isDone`: every step was taken, and all that is left is to clean up. */
export interface Journal extends Ground {
  readonly steps: readonly Step[]
  readonly isDone: boolean
}

/** On the disk before it returns, whole or not at all. */
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

/** In the other order than they were taken. */
export async function rollBack(journal: Journal): Promise<void> {
  for (const step of journal.steps.toReversed()) await undo(journal, step)
}

/** What was replaced is no longer needed. */
export async function cleanUp(journal: Journal): Promise<void> {
  for (const step of journal.steps)
    if (step.kind === 'lock') await inParentOf(journal.folder, step.path, (at) => unlock(at, step.token)).catch(() => {})
  await rm(journal.staging, { recursive: true, force: true })
}

/**
 * Puts in order what processes that died have left in `layers`: an application that had not come to its end is rolled back, every copy is
 * removed. Copies of processes that run are left alone. Never throws for one of them: it is tried again at the next start.
 */
export async function recoverCopies(layers: string): Promise<void> {
  for (const layer of await layersLeftBehind(layers)) await recover(layer).catch(() => {})
}

async function recover(layer: Layer): Promise<void> {
  const text = await readFile(layer.journal, 'utf8').catch(() => null)
  if (text !== null) {
    const journal = JSON.parse(text) as Journal
    if (!journal.isDone) await rollBack(journal)
    await cleanUp(journal)
  }
  await removeLayer(layer)
}

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import type {
  ComparedFile,
  ComparisonRun,
  FolderComparison,
  FoundChange,
  FoundChanges,
  FoundFolder,
} from '../../../agent/ports/folder-comparison.ts'
import type { LayerChange, LayerFile } from '../../../agent/ports/layers.ts'
import { orNull } from '../../environment-failure.ts'
import { reachedFrom } from '../reached-paths.ts'
import type { Marked } from './layer-changes.ts'

/** What a layer contains at one moment, as far as it differs from the folder. */
export interface LayerState {
  readonly files: ReadonlyMap<string, LayerChange>
  /** The permission bits of folders that the layer has of its own. Null for a folder that was removed in the layer. */
  readonly folders: ReadonlyMap<string, number | null>
  /** Permission bits of a folder of the real folder. Null if there is none. */
  folderBelow(path: string): number | null
  /** The file that programs in the layer see now. Null if there is none. */
  shown(path: string): Promise<LayerFile | null>
}

export function stateOf({ folder, entries, isReached }: Marked, changes: readonly LayerChange[], shown: LayerState['shown']): LayerState {
  const folders = new Map<string, number | null>()
  for (const path of entries.hidden) if (isReached(path) && modeOfFolder(join(folder, path)) !== null) folders.set(path, null)
  for (const [path, at] of entries.folders) folders.set(path, modeOfFolder(at))
  return {
    files: new Map(changes.map((change) => [change.path, change])),
    folders,
    // The folder may have changed since.
    folderBelow: (path) => (reachedFrom(folder)(path) ? modeOfFolder(join(folder, path)) : null),
    shown,
  }
}

function modeOfFolder(path: string): number | null {
  const found = orNull(() => lstatSync(path))
  return found?.isDirectory() === true ? found.mode & 0o7777 : null
}

interface ComparisonParts {
  state(): Promise<LayerState>
  /** Makes programs in the layer see what was replaced in the folder. */
  refresh(): Promise<void>
  bytesOf(hash: BlobHash): Promise<Uint8Array>
}

/** Finds what a command has changed in its layer. Only what differs from the folder is read, so this does not depend on its size. */
export function createLayerComparison({ state, refresh, bytesOf }: ComparisonParts): FolderComparison {
  const runFrom = (before: LayerState | Error): ComparisonRun => {
    let reached = before
    return {
      async end() {
        const after = await state().catch(asError)
        if (after instanceof Error) return nothingFound(after)
        const compared = before instanceof Error ? nothingFound(before) : await found(before, after, bytesOf).catch(asError)
        if (compared instanceof Error) return nothingFound(compared)
        reached = after
        return compared
      },
      next: () => runFrom(reached),
      drop: () => {},
    }
  }
  return {
    // If this fails, a file that was replaced in the folder shows up as a conflict at bring-in.
    prepare: () => void refresh().catch(() => {}),
    begin: async () => runFrom(await state().catch(asError)),
    dispose: () => {},
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const nothingFound = ({ message }: Error): FoundChanges => ({
  changes: [],
  folders: [],
  files: 0,
  leftOut: [`What the command changed in the layer could not be read: ${message}`],
})

async function found(before: LayerState, after: LayerState, bytesOf: ComparisonParts['bytesOf']): Promise<FoundChanges> {
  const read = async (file: LayerFile | null): Promise<ComparedFile> => file && { bytes: await bytesOf(file.hash), mode: file.mode }
  const changes: FoundChange[] = []
  for (const path of both(before.files, after.files)) {
    const was = before.files.get(path)
    const now = after.files.get(path)
    // A file without an own version shows the folder’s file. Before the command that was the base. Now it may be newer.
    const from = was ? was.own : (now?.base ?? null)
    const to = now ? now.own : await after.shown(path)
    if (from?.hash !== to?.hash || from?.mode !== to?.mode) changes.push({ path, before: await read(from), after: await read(to) })
  }
  const folders: FoundFolder[] = []
  for (const path of both(before.folders, after.folders)) {
    const from = modeIn(before, path)
    const to = modeIn(after, path)
    if (from !== to) folders.push({ path, before: from, after: to })
  }
  return { changes, folders, files: after.files.size, leftOut: [] }
}

const both = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): readonly string[] =>
  [...new Set([...a.keys(), ...b.keys()])].toSorted()

const modeIn = ({ folders, folderBelow }: LayerState, path: string): number | null =>
  folders.get(path) ?? (folders.has(path) ? null : folderBelow(path))

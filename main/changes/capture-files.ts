import { join } from 'node:path'
import type { CommandEffect, Effect } from '../../shared/session/effects.ts'
import type { FileChange, MadeBy, UnreadFile } from '../../shared/session/file-change.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { ComparedFile, FolderComparison, FoundChange, FoundChanges } from '../agent/ports/folder-comparison.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import { type CapturedFile, captureEffectPaths, fileChange, type PathChanges, type PathParts, stored } from './capture-effect-paths.ts'
import { countChangedLinesInSlices } from './count-changed-lines.ts'

export interface CaptureParts extends PathParts {
  /** The project folder, and how it is compared before and after a command that runs for real. If absent, it is not compared. */
  readonly compared?: {
    readonly folder: string
    readonly comparison: FolderComparison
    /** Whether it is compared also before and after a call of a server's tool. This is cheap in a layer only. */
    readonly comparesTools?: boolean
  }
}

interface CapturedStep {
  changes(): Promise<Changes>
  /** `others`: the files that steps have changed since the command was started, oldest first. */
  afterBackground(others: readonly FileChange[]): Promise<Changes>
  drop(): void
}

interface Changes extends PathChanges {
  readonly madeBy?: MadeBy
}

/**
 * Reads the files, links and folders of a step before it runs, and the complete folder before a command that runs for real. Rejects with
 * the environment's or the store's error if one of these files cannot be read or stored, because such a step could not be undone and must
 * not run. `changes` reads them again, whether the step succeeded or failed halfway, and returns the differences, with the folders that
 * new files needed. It never rejects: a file that can no longer be read or stored is listed with the reason. `drop` is called instead if
 * the step did not run. A background command has only begun when its call ends, so `changes` says that its changes are not known yet, and
 * `afterBackground` finds them.
 */
export async function captureFiles(parts: CaptureParts, effects: readonly Effect[]): Promise<CapturedStep> {
  const { compared } = parts
  const command = effects.find((effect) => effect.kind === 'command') ?? (compared?.comparesTools ? calledTool(effects) : undefined)
  const listed = await captureEffectPaths(parts, effects)
  if (!command) return { changes: listed.changes, afterBackground: listed.changes, drop: () => {} }
  const run = compared && command.sandbox !== 'copy' ? await compared.comparison.begin() : null
  return {
    async afterBackground(others) {
      const by = { ...madeBy(command), inBackground: true } as const
      if (!run || !compared) return { files: [], folders: [], unread: [], madeBy: by }
      const found = await foundFiles(await run.end(), compared.folder, parts)
      return { ...found, files: await withoutOthers(found.files, others, parts), madeBy: { ...by, ...found.madeBy } }
    },
    async changes() {
      const changed = await listed.changes()
      if (!run || !compared) return { ...changed, madeBy: madeBy(command) }
      if (command.way === 'background')
        return { ...changed, madeBy: { ...madeBy(command), inBackground: true, compared: { files: 0, leftOut: [notYet(command)] } } }
      const found = await foundFiles(await run.end(), compared.folder, parts)
      return {
        ...found,
        files: [...changed.files, ...found.files],
        folders: [...changed.folders, ...found.folders],
        unread: [...changed.unread, ...found.unread],
        madeBy: { ...madeBy(command), ...found.madeBy },
      }
    },
    drop: () => run?.drop(),
  }
}

/** Maximum number of characters of a command, as `MadeBy` promises. */
const MAX_COMMAND = 2000

type Ran = Pick<CommandEffect, 'command' | 'sandbox' | 'way'>

/** The call of a server's tool, as a command that runs for real. */
function calledTool(effects: readonly Effect[]): Ran | undefined {
  const called = effects.find((effect) => effect.kind === 'unknown')?.tool
  return called && { command: called.name }
}

const madeBy = ({ command }: Ran): MadeBy => ({ command: command.slice(0, MAX_COMMAND) })

/** A sentence that is shown until the command has ended and the comparison after its end is complete. */
const notYet = ({ command }: Ran): string =>
  `${command.split('\n', 1)[0]?.slice(0, 80)} was started in the background and may change files. The changes are listed if the command ends while Countersign runs.`

/** Leaves out changes that other steps have made while the background command was running, unless the file has changed again since. */
async function withoutOthers(
  found: readonly FileChange[],
  others: readonly FileChange[],
  { blobs }: CaptureParts,
): Promise<readonly FileChange[]> {
  const last = new Map(others.map((file) => [file.path, file]))
  const bytes = async (hash: FileChange['after']): Promise<Uint8Array | null> => hash && blobs.getInSlices(hash)
  const own: FileChange[] = []
  for (const file of found) {
    const known = last.get(file.path)
    if (!known) own.push(file)
    if (!known || (known.after === file.after && known.afterMode === file.afterMode)) continue
    const { after: before, afterBytes: beforeBytes, afterMode: beforeMode, afterKind } = known
    const { beforeKind: _, ...rest } = file
    const lines = await countChangedLinesInSlices(await bytes(before), await bytes(file.after))
    own.push({ ...rest, before, beforeBytes, beforeMode, ...(afterKind && { beforeKind: afterKind }), lines })
  }
  return own
}

/** The changes that the comparison of the folder found, with their bytes in the store. */
async function foundFiles(
  { changes, folders: found, files: count, leftOut }: FoundChanges,
  folder: string,
  { blobs }: CaptureParts,
): Promise<PathChanges & { readonly madeBy: Pick<MadeBy, 'compared'> }> {
  const files: FileChange[] = []
  const unread: UnreadFile[] = []
  const slice = createSlices()
  for (const change of changes) {
    const path = join(folder, change.path)
    try {
      files.push(await foundChange(change, path, blobs))
    } catch (error) {
      unread.push({ path, shown: change.path, why: error instanceof Error ? error.message : String(error) })
    }
    await slice()
  }
  const folders = found.map(({ path, ...modes }) => ({ path: join(folder, path), shown: path, ...modes }))
  return { files, folders, unread, madeBy: { compared: { files: count, leftOut } } }
}

const foundChange = async ({ path: shown, before, after }: FoundChange, path: string, blobs: BlobStore): Promise<FileChange> =>
  fileChange({ path, shown }, await captured(before, blobs), await captured(after, blobs))

async function captured(file: ComparedFile, blobs: BlobStore): Promise<CapturedFile> {
  if (file === null) return null
  const { bytes, mode } = file
  const own = await stored(bytes, blobs)
  return mode === null ? { kind: 'link', mode, ...own } : { kind: 'file', mode, ...own }
}

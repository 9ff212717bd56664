import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import type { LayerChange, Layers } from '../../agent/ports/layers.ts'
import { statsAt } from '../copy/changes/folder-entries.ts'
import { removeFolder } from '../copy/changes/tree-thread.ts'
import { standingEntries } from './standing-entries.ts'
import { storedFile } from './stored-file.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import { runOwnProgram } from '../own-programs/run-own-program.ts'
import { globFiles } from '../search/glob/glob-files.ts'
import { isRunning, PROCESS_SPACE } from '../temporary-folder.ts'

export interface CloneLayerParts {
  /** The project folder. */
  readonly folder: string
  /** The folder of Countersign that contains the copies. */
  readonly copies: string
  /** Why copies are impossible on this machine. Null if they are possible. */
  missing(): Promise<string | null>
  put(bytes: Uint8Array): Promise<BlobHash>
}

/** Number of files that are handled at the same time. Each waits for the disk most of the time. */
const AT_ONCE = 8
/** Maximum time for copying a folder, in ms. A folder that takes longer is not copied. */
const COPY_MS = 60_000

/**
 * Where a subagent's copy is. `tree`: the folder in which the subagent works. `base`: the original files, without ignored ones. `maker`: a
 * file that identifies the process that made the copy. `made`: a file that exists while the copy is complete.
 */
export function placesOf(copies: string, sessionId: SessionId) {
  const path = join(copies, sessionId)
  const [tree, base, maker, made] = ['tree', 'base', 'maker', 'made'].map((name) => join(path, name)) as [string, string, string, string]
  return { path, tree, base, maker, made }
}

/**
 * Removes a copy. Its `made` is removed first: otherwise every missing file of a half-removed copy would count as deleted by the
 * subagent.
 */
export async function removeLayerOf(copies: string, sessionId: SessionId): Promise<void> {
  const { path, made } = placesOf(copies, sessionId)
  await rm(made, { force: true })
  await removeFolder(path)
}

/**
 * Removes copies that killed processes have left. `isNeeded`: whether the subagent's changes have not been handed over yet. Rejects only if
 * `isNeeded` does: a copy that cannot be removed only takes space on the disk, and the next launch tries again.
 */
export async function removeLeftCopies(copies: string, isNeeded: (sessionId: SessionId) => Promise<boolean>): Promise<void> {
  for (const name of await readdir(copies).catch(() => [])) {
    const id = SessionId.safeParse(name)
    if (!id.success || (await isBeingMade(copies, id.data)) || (await isNeeded(id.data))) continue
    await removeLayerOf(copies, id.data).catch(() => {})
  }
}

/**
 * Whether the copy is still being made. Its session is created only when the copy is complete, so until then no session shows that the copy
 * is in use.
 */
async function isBeingMade(copies: string, sessionId: SessionId): Promise<boolean> {
  const { maker, made } = placesOf(copies, sessionId)
  if ((await statsAt(made)) !== null) return false
  const [pid, space] = (await readFile(maker, 'utf8').catch(() => '')).split('.')
  return space === PROCESS_SPACE && isRunning(Number(pid))
}

/** Full copies on the disk. They share their blocks with the folder if the file system supports that. */
export function createCloneLayers({ folder, copies, missing, put }: CloneLayerParts): Layers {
  const remove = (sessionId: SessionId): Promise<void> => removeLayerOf(copies, sessionId)
  const make = async (sessionId: SessionId, signal: AbortSignal): Promise<void> => {
    const { path, tree, base, maker, made } = placesOf(copies, sessionId)
    await remove(sessionId)
    try {
      await mkdir(path, { recursive: true, mode: 0o700 })
      await writeFile(maker, `${process.pid}.${PROCESS_SPACE}`)
      await Promise.all([tree, base].map((folderOf) => mkdir(folderOf, { recursive: true, mode: 0o700 })))
      await copyFolder(await realpath(folder), tree, signal)
      const { paths } = await globFiles('**/*', tree, { signal })
      await mapAtOnce(paths, AT_ONCE, async (path) => {
        await mkdir(join(base, dirname(path)), { recursive: true })
        await copyFile(join(tree, path), join(base, path), constants.COPYFILE_FICLONE)
      })
      // Written last, so that a copy without it counts as unfinished.
      await (await open(made, 'wx')).close()
    } catch (error) {
      await remove(sessionId)
      throw error
    }
  }
  return {
    missing,
    make,
    async makeIfMissing(sessionId) {
      if ((await statsAt(placesOf(copies, sessionId).made)) === null) await make(sessionId, AbortSignal.timeout(COPY_MS))
    },
    async changes(sessionId) {
      const { tree, base, made } = placesOf(copies, sessionId)
      const finished = await statsAt(made)
      if (finished === null) return { version: 1, folder: await realpath(folder), files: [] }
      const { ctimeNs } = finished
      const [before, now] = await Promise.all([globFiles('**/*', base, { ignored: true }), globFiles('**/*', tree, {})])
      const paths = [...new Set([...before.paths, ...now.paths])].toSorted()
      const known = new Set(before.paths)
      const found = await mapAtOnce(paths, AT_ONCE, async (path): Promise<LayerChange | null> => {
        const current = await statsAt(join(tree, path))
        if (known.has(path) && current && current.ctimeNs < ctimeNs) return null
        const own = await storedFile(join(tree, path), put)
        const was = known.has(path) ? await storedFile(join(base, path), put) : null
        return own?.hash === was?.hash && own?.mode === was?.mode ? null : { path, base: was, own }
      })
      return { version: 1, folder: await realpath(folder), files: found.filter((change) => change !== null) }
    },
    entriesOf: (paths) => standingEntries(folder, paths),
    remove,
  }
}

async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  const run = { cwd: '/', signal, timeoutMs: COPY_MS }
  const { failure, stderr } = await runOwnProgram('cp', ['-a', '--reflink=auto', '--', `${from}/.`, to], run)
  if (failure === null) return
  signal.throwIfAborted()
  throw new EnvironmentFailure('ENOCOPY', `The folder could not be copied: ${stderr.trim().split('\n')[0] || failure.message}`)
}

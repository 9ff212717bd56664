import { constants } from 'node:fs'
import { cp, lstat, mkdir, open, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import type { CommandCopies } from '../../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import { createFolderComparison } from '../comparison/folder-comparison.ts'
import { statsAt } from '../copy/changes/folder-entries.ts'
import { removeFolder } from '../copy/changes/tree-thread.ts'
import { standingEntries } from './standing-entries.ts'
import { EnvironmentFailure, explained } from '../environment-failure.ts'
import { runOwnProgram } from '../own-programs/run-own-program.ts'
import { PROCESS_SPACE } from '../temporary-folder.ts'
import { AT_ONCE, changesInFolder, changesInLayer, copyEntry, filesAndLinks, writeBases } from './compare-layer.ts'
import { type ExpectedBases, expectedBases } from './expected-bases.ts'
import { COMPARE_ALL, placesOf, WITH_LINKS } from './layer-places.ts'
import { reachedFrom } from './reached-paths.ts'
import { seatbelt } from './seatbelt.ts'
import { storedFile } from './stored-file.ts'
import { mappedEnvironment } from './mapped-environment.ts'

export interface CloneLayerParts {
  /** The project folder. */
  readonly folder: string
  /** The folder over which the layers are made, and which stands for `folder`: the tree of another layer. If left out, `folder` itself. */
  readonly source?: string
  /** The folder of Countersign that contains the layers. */
  readonly layers: string
  /** Why layers are impossible for this folder. Null if they are possible. */
  missing(): Promise<string | null>
  /** Why commands cannot run in `copies` and therefore run unconfined in the layer itself. If left out, they run in copies. */
  whyUnconfined?(): Promise<string | null>
  put(bytes: Uint8Array): Promise<BlobHash>
  get(hash: BlobHash): Promise<Uint8Array>
  /**
   * The environment of a layer's folder, given by its real path, and the copies in which commands see it at the path of `folder`. Output
   * of the environment's commands names the folder (`namedAsFolder`).
   */
  openTree(tree: string): { readonly environment: ExecutionEnvironment; readonly copies: CommandCopies }
}

/** Maximum time for copying a folder, in ms. A folder that takes longer is not copied. */
const COPY_MS = 60_000

/** Its `made` is removed first: otherwise every missing file of a half-removed layer would count as deleted by the session. */
async function removeLayerOf(layers: string, sessionId: SessionId): Promise<void> {
  const { path, made } = placesOf(layers, sessionId)
  await rm(made, { force: true })
  await removeFolder(path)
}

/** Full copies on the disk. They share their blocks with the folder if the file system supports that. */
export function createCloneLayers(parts: CloneLayerParts): Layers {
  const { folder, source = folder, layers, missing, put, get, openTree } = parts
  const whyUnconfined = parts.whyUnconfined ?? (() => Promise.resolve(null))
  const remove = (sessionId: SessionId): Promise<void> => removeLayerOf(layers, sessionId)
  const compare = { folder, source, layers, put }
  const expectedIn = (sessionId: SessionId): ExpectedBases => {
    const { base: bases, expected } = placesOf(layers, sessionId)
    return expectedBases(expected, (set) =>
      writeBases(
        bases,
        set.map(({ path, base }) => ({ path, version: base && { mode: base.mode, bytes: () => get(base.hash) } })),
      ),
    )
  }
  const settle = (sessionId: SessionId): Promise<void> => {
    const { tree } = placesOf(layers, sessionId)
    return expectedIn(sessionId).settle(async (paths) => {
      const isReached = reachedFrom(tree)
      const own = (path: string) => (isReached(path) ? storedFile(join(tree, path), put) : null)
      return new Map(await mapAtOnce(paths, AT_ONCE, async (path) => [path, await own(path)] as const))
    })
  }
  const make = async (sessionId: SessionId, signal: AbortSignal, from?: SessionId): Promise<void> => {
    const { path, tree, base, maker, made } = placesOf(layers, sessionId)
    const origin = from === undefined ? null : placesOf(layers, from)
    await remove(sessionId)
    try {
      await mkdir(path, { recursive: true, mode: 0o700 })
      await writeFile(maker, `${process.pid}.${PROCESS_SPACE}`)
      await Promise.all([tree, base].map((folderOf) => mkdir(folderOf, { recursive: true, mode: 0o700 })))
      if (from !== undefined && origin !== null && (await statsAt(origin.made)) !== null) {
        await settle(from)
        await copyFolder(origin.tree, tree, signal)
        await copyFolder(origin.base, base, signal)
        const [, ...notes] = (await readFile(origin.made, 'utf8')).split('\n')
        await writeFile(made, [COMPARE_ALL, ...notes].join('\n'), { flag: 'wx' })
        return
      }
      await copyFolder(await realpath(source), tree, signal)
      await mapAtOnce(await filesAndLinks(tree, { signal }), AT_ONCE, async (path) => {
        await mkdir(join(base, dirname(path)), { recursive: true })
        await copyEntry(join(tree, path), join(base, path))
      })
      // Written last, so that a copy without it counts as unfinished.
      const handle = await open(made, 'wx')
      try {
        await handle.writeFile(`${(await handle.stat({ bigint: true })).ino}\n${WITH_LINKS}`)
      } finally {
        await handle.close()
      }
    } catch (error) {
      await remove(sessionId)
      throw error
    }
  }
  return {
    missing,
    whyClones: () => Promise.resolve('No other layers are supported here.'),
    whyUnconfined,
    make,
    async makeIfMissing(sessionId, from) {
      if ((await statsAt(placesOf(layers, sessionId).made)) === null) await make(sessionId, AbortSignal.timeout(COPY_MS), from)
    },
    async open(sessionId) {
      // Programs print the real path.
      const tree = await realpath(placesOf(layers, sessionId).tree)
      await settle(sessionId)
      const { environment, copies } = openTree(tree)
      const isUnconfined = (await whyUnconfined()) !== null
      const real = await realpath(folder)
      const own = await realpath(dirname(layers))
      const confinement = isUnconfined ? await seatbelt({ folder: real, own, tree }) : null
      return {
        environment: mappedEnvironment(environment, { folder: real, tree, mapsCommands: isUnconfined, confinement }),
        inside: null,
        copies,
        layers: createCloneLayers({ ...parts, source: tree }),
        ...(isUnconfined && { unconfined: createFolderComparison(tree) }),
      }
    },
    async changes(sessionId) {
      await settle(sessionId)
      return changesInLayer(compare, sessionId, expectedIn(sessionId).rebase)
    },
    async moved(sessionId) {
      await settle(sessionId)
      return changesInFolder(compare, sessionId)
    },
    async rebase(sessionId, bases) {
      if ((await statsAt(placesOf(layers, sessionId).made)) !== null) await expectedIn(sessionId).rebase(bases)
    },
    entriesOf: (paths) => standingEntries(source, paths),
    entriesIn: (sessionId, paths) => standingEntries(placesOf(layers, sessionId).tree, paths),
    remove,
    close: () => Promise.resolve(),
  }
}

async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  if (process.platform !== 'linux') return copyTree(from, to, signal)
  const run = { cwd: '/', signal, timeoutMs: COPY_MS }
  const { failure, stderr } = await runOwnProgram('cp', ['-a', '--reflink=auto', '--', `${from}/.`, to], run)
  if (failure === null) return
  signal.throwIfAborted()
  throw new EnvironmentFailure('ENOCOPY', `The folder could not be copied: ${stderr.trim().split('\n')[0] || failure.message}`)
}

/**
 * Copies a folder with Node, because only Linux has `cp --reflink`. Shares blocks if the file system supports it. Leaves out what cannot be
 * copied: sockets, pipes and devices.
 */
export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  const filter = async (path: string): Promise<boolean> => {
    signal.throwIfAborted()
    const stats = await lstat(path)
    return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink()
  }
  const options = { recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true, verbatimSymlinks: true, filter }
  await cp(from, to, options).catch((error: unknown) => {
    signal.throwIfAborted()
    throw explained(error, 'copy', from)
  })
}

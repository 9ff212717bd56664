import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { LeftInLayer } from '../../../../shared/session/file-change.ts'
import type { StandingEntry } from '../../../agent/ports/command-copies.ts'
import type { LayerBase, LayerChange, LayerChanges, LayerFile } from '../../../agent/ports/layers.ts'
import { entryAt } from '../../copy/changes/folder-entries.ts'
import { makeOpaque } from '../../copy/changes/opaque-folders.ts'
import { EnvironmentFailure, orNull } from '../../environment-failure.ts'
import { ignoredBelow } from '../../search/ignore/folder-ignore-rules.ts'
import { type Put, storedFile } from '../stored-file.ts'
import { isSameFile } from '../../../agent/layer-file.ts'
import { reachedFrom } from '../reached-paths.ts'
import { type BaseVersions, readBaseVersions } from './base-versions.ts'
import { type DurableLayer, folderOf, isMade } from './durable-layer.ts'
import { changesOf, fileBelow, isBelowCover, type LayerMemory, mark, type Marked, withoutLinks } from './layer-changes.ts'
import { type LayerState, stateOf } from './layer-state.ts'
import { expectedBases } from '../expected-bases.ts'
import { leftInOverlay } from './left-in-overlay.ts'
import { filesBelow } from './lower-versions.ts'
import { type KnownOpaque, readUppers } from './upper-entries.ts'

/** What is in a layer, and on what it is based. Its methods must not run at the same time. */
export interface LayerContents {
  /** Resolves when what is known of the layer has been read. */
  readonly ready: Promise<unknown>
  mark(): Promise<void>
  changes(): Promise<Pick<LayerChanges, 'files' | 'leftOut'>>
  /** What the layer contains now, as far as it differs from the folder. */
  state(): Promise<LayerState>
  /** What has changed in the folder, among the files of which the layer has its own version. */
  moved(): Promise<readonly LayerChange[]>
  /** What the layer contains at these relative paths. */
  entries(paths: readonly string[]): Promise<readonly (StandingEntry | null)[]>
  /** The files of the layer at these relative paths. Null where there is none. */
  files(paths: readonly string[]): Promise<readonly (LayerFile | null)[]>
  rebase(bases: readonly LayerBase[]): Promise<void>
  /** Nothing below these folders of the upper folder shows through from now on. */
  cover(folders: readonly string[]): Promise<void>
  /** The versions on which a layer is based that begins with what is in this one. `isOver`: whether it is based on this layer. */
  basesOfFork(isOver: boolean): Promise<Pick<BaseVersions, 'bases' | 'covered'>>
}

interface ContentParts {
  readonly layer: DurableLayer
  readonly put: Put
  /** The layer over which this one was made. Null if it is over the folder. */
  over(): Promise<Pick<LayerContents, 'files' | 'entries'> | null>
  /** Called if programs in the layer may still see what was replaced in the folder. */
  refresh(): Promise<void>
}

/** Number of files that are read at the same time. Each mostly waits for the disk. */
const AT_ONCE = 8

export function createLayerContents({ layer, put, ...parts }: ContentParts): LayerContents {
  const memory: Promise<LayerMemory> = readBaseVersions(layer.bases).then((versions) => ({
    versions,
    opaque: new Map(),
    own: new Map(),
    below: new Map(),
  }))
  const expected = expectedBases(layer.expected, async (bases) =>
    (await memory).versions.add(bases.map(({ path, base }) => ({ kind: 'base', path, base }))),
  )
  const marked = async (): Promise<Marked> => {
    await mustBeMade(layer)
    const known = await memory
    await known.versions.update()
    const found = await mark(layer, known, put)
    // If that fails, the next version that is taken is unknown, which a merge shows.
    if (found.hasMoved) await parts.refresh().catch(() => {})
    await expected.settle(async (paths) => {
      const own = paths.filter((path) => found.entries.files.has(path) || throughTo(found, path) === null)
      return new Map(await mapAtOnce(own, AT_ONCE, async (path) => [path, await shownIn(found, path, put)] as const))
    })
    return found
  }
  const ownChanges = async (): Promise<readonly LayerChange[]> => changesOf(await marked(), await memory, put)
  /** What is at these relative paths below this layer. */
  const below = async (paths: readonly string[]): Promise<readonly (LayerFile | null)[]> => {
    const over = await parts.over()
    if (over !== null) return over.files(paths)
    const folder = await folderOf(layer)
    const { below: known } = await memory
    const slice = createSlices()
    const isReached = reachedFrom(folder)
    return mapAtOnce(paths, AT_ONCE, async (path) => {
      await slice()
      return isReached(path) ? fileBelow(join(folder, path), known, put) : null
    })
  }
  return {
    ready: memory.catch(() => {}),
    mark: async () => void (await marked()),
    async changes() {
      const found = await marked()
      const changes = await changesOf(found, await memory, put)
      const now = await below(changes.map(({ path }) => path))
      const isSettled = ({ own }: LayerChange, index: number): boolean => isSameFile(now[index] ?? null, own)
      await expected.rebase(changes.filter(isSettled).map(({ path, own }) => ({ path, base: own })))
      return {
        files: changes.filter((change, index) => !isSettled(change, index)),
        leftOut: await leftOutOf(found, await parts.over(), (await memory).opaque),
      }
    },
    async state() {
      const found = await marked()
      return stateOf(found, await changesOf(found, await memory, put), (path) => shownIn(found, path, put))
    },
    async moved() {
      const found = await marked()
      const known = (await memory).versions.bases
      const unseen = (await parts.over()) === null ? await unseenFiles(found, [...known.keys()]) : []
      const bases = [...known, ...unseen.filter((path) => !known.has(path)).map((path) => [path, null] as const)]
      const now = await below(bases.map(([path]) => path))
      return bases.flatMap(([path, base], index): readonly LayerChange[] => {
        const file = now[index] ?? null
        return isSameFile(file, base) ? [] : [{ path, base, own: file }]
      })
    },
    async entries(paths) {
      const found = await marked()
      const { files, folders } = found.entries
      return mapAtOnce(paths, AT_ONCE, async (path) => {
        const own = files.get(path)?.at ?? folders.get(path)
        if (own !== undefined) return withoutLinks(path, own, entryAt)
        const at = throughTo(found, path)
        return at === null ? null : entryAt(at)
      })
    },
    async files(paths) {
      const found = await marked()
      return mapAtOnce(paths, AT_ONCE, (path) => shownIn(found, path, put))
    },
    rebase: expected.rebase,
    async cover(folders) {
      // Comes first: once the folders are opaque, entries of the real folder count as removed in the layer.
      await marked()
      await makeOpaque(layer.up, folders)
      const { opaque } = await memory
      opaque.clear()
    },
    async basesOfFork(isOver) {
      const changes = await ownChanges()
      const { bases, covered } = (await memory).versions
      const own = isOver ? changes.map((change) => [change.path, change.own] as const) : []
      return { bases: new Map([...bases, ...own]), covered }
    },
  }
}

/** What the layer has changed that is not brought in. `over`: the layer over which it was made. */
async function leftOutOf(
  { folder, entries, uppers, isSkipped }: Marked,
  over: Pick<LayerContents, 'entries'> | null,
  opaque: KnownOpaque,
): Promise<readonly LeftInLayer[]> {
  if (over === null) return leftInOverlay({ folder, entries, uppers, entriesBelow: null })
  // All upper folders but the first belong to the layer below.
  const own = uppers.slice(0, 1)
  return leftInOverlay({ folder, entries: await readUppers(own, isSkipped, opaque), uppers: own, entriesBelow: over.entries })
}

/** The file that programs in the layer see at a path. Null if there is none. */
async function shownIn(found: Marked, path: string, put: Put): Promise<LayerFile | null> {
  const own = found.entries.files.get(path)?.at
  if (own !== undefined) return withoutLinks(path, own, (at) => storedFile(at, put))
  const at = throughTo(found, path)
  return at === null ? null : storedFile(at, put)
}

/** The files of the real folder that are hidden, because the layer has a file, or has deleted one, where the folder has a folder now. */
async function unseenFiles(found: Marked, paths: readonly string[]): Promise<readonly string[]> {
  const { folder, entries, isReached } = found
  const isIgnored = ignoredBelow(folder)
  const slice = createSlices()
  const unseen = new Set<string>()
  for (const path of paths) {
    await slice()
    const isHidden = entries.files.has(path) || throughTo(found, path) === null
    const isFolder = isHidden && isReached(path) && orNull(() => lstatSync(join(folder, path)))?.isDirectory() === true
    if (isFolder) for (const inner of await filesBelow(folder, path, isIgnored)) unseen.add(inner)
  }
  return [...unseen]
}

/** The path in the real folder of an entry that the layer does not have itself. Null if it does not show through. */
const throughTo = ({ folder, entries, isReached }: Marked, path: string): string | null =>
  entries.hidden.has(path) || isBelowCover(path, entries) || !isReached(path) ? null : join(folder, path)

export async function mustBeMade(layer: DurableLayer): Promise<void> {
  if (!(await isMade(layer))) throw new EnvironmentFailure('ENOLAYER', 'This session has no layer.')
}

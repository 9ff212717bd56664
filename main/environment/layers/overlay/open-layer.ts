import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import type { StandingEntry } from '../../../agent/ports/command-copies.ts'
import type { LayerBase, LayerChange, LayerChanges } from '../../../agent/ports/layers.ts'
import { entryAt } from '../../copy/changes/folder-entries.ts'
import { homeOf } from '../../copy/run-in-copy.ts'
import { EnvironmentFailure } from '../../environment-failure.ts'
import { isSameFile, type Put, storedFile } from '../stored-file.ts'
import { type BaseLine, copyBaseVersions, readBaseVersions } from './base-versions.ts'
import { type DurableLayer, freeze, isMade, type LayerPlaces } from './durable-layer.ts'
import { changesOf, isBelowCover, type LayerMemory, mark, type Marked } from './layer-changes.ts'
import { disown, own } from './layer-owner.ts'
import type { RunningInLayer } from './running-in-layer.ts'
import { type LayerStart, startInLayer } from './start-in-layer.ts'
import { type InsideFile, writeInside } from './write-inside.ts'

export interface OpenLayerParts extends LayerPlaces {
  readonly layer: DurableLayer
  /** Folders of Countersign that no program in a layer may see. */
  readonly hidden: readonly string[]
  readonly put: Put
  mapsEverybody(): Promise<boolean>
}

/** The layer of one session, as this process uses it. Its methods do one piece of work after the other. */
export interface OpenLayer {
  start(argv: readonly [string, ...string[]], options: LayerStart): Promise<RunningInLayer>
  mark(): Promise<void>
  refresh(): Promise<void>
  changes(): Promise<LayerChanges['files']>
  /** What has changed in the folder, among the files of which the layer has its own version. */
  moved(): Promise<LayerChanges['files']>
  /** What the layer contains at these relative paths. */
  entries(paths: readonly string[]): Promise<readonly (StandingEntry | null)[]>
  rebase(bases: readonly LayerBase[]): Promise<void>
  write(files: readonly InsideFile[]): Promise<void>
  /** Puts what this layer contains below another one, which is unfinished. */
  forkTo(fork: DurableLayer): Promise<void>
  /** Ends every program in the layer. */
  close(): Promise<void>
}

/** Number of files that are read at the same time. Each mostly waits for the disk. */
const AT_ONCE = 8

/** What runs while files are written into a layer in which nothing else runs. */
const IDLE = { argv: ['sleep', 'infinity'], env: { PATH: '/usr/bin:/bin' } } as const

export function openLayer({ layer, put, ...parts }: OpenLayerParts): OpenLayer {
  const memory: Promise<LayerMemory> = readBaseVersions(layer.bases).then((versions) => ({
    versions,
    opaque: new Map(),
    own: new Map(),
  }))
  let last: Promise<unknown> = memory.catch(() => {})
  let running: RunningInLayer | null = null
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const mustRest = (): void => {
    if (running) throw new EnvironmentFailure('ENOLAYER', "A program already runs in this session's layer.")
  }
  const start: OpenLayer['start'] = async (argv, options) => {
    mustRest()
    await mustBeMade(layer)
    await own(layer)
    try {
      const [home, mapsEverybody] = await Promise.all([homeOf(), parts.mapsEverybody()])
      const ours = await Promise.all(parts.hidden.map((path) => realpath(path).catch(() => path)))
      const begun = await startInLayer({ layer, home, scratch: null, ours, mapsEverybody }, argv, options)
      running = begun
      void begun.ended.then(() => {
        running = null
        return disown(layer)
      })
      return begun
    } catch (error) {
      await disown(layer)
      throw error
    }
  }
  const markNow = async (): Promise<Marked> => {
    await mustBeMade(layer)
    const marked = await mark(layer, await memory, put)
    // If that fails, the next version that is taken is unknown, which a merge shows.
    if (marked.hasMoved) await running?.refresh().catch(() => {})
    return marked
  }
  return {
    start: (argv, options) => inTurn(() => start(argv, options)),
    mark: () => inTurn(async () => void (await markNow())),
    refresh: () => inTurn(async () => running?.refresh()),
    changes: () =>
      inTurn(async () => {
        const marked = await markNow()
        const { changes, same } = await unsettled(marked.folder, await changesOf(marked, await memory, put), put)
        await (await memory).versions.add(same)
        return changes
      }),
    moved: () =>
      inTurn(async () => {
        const { folder } = await markNow()
        const { bases } = (await memory).versions
        const found = await mapAtOnce([...bases], AT_ONCE, async ([path, base]): Promise<LayerChange | null> => {
          const now = await storedFile(join(folder, path), put)
          return isSameFile(now, base) ? null : { path, base, own: now }
        })
        return found.filter((change) => change !== null)
      }),
    entries: (paths) =>
      inTurn(async () => {
        const { folder, entries } = await markNow()
        return mapAtOnce(paths, AT_ONCE, async (path) => {
          const own = entries.files.get(path)?.at ?? entries.folders.get(path)
          if (own !== undefined) return entryAt(own)
          return entries.hidden.has(path) || isBelowCover(path, entries) ? null : entryAt(join(folder, path))
        })
      }),
    rebase: (bases) =>
      inTurn(async () => (await memory).versions.add(bases.map(({ path, base }) => ({ kind: 'base', path, base }) as const))),
    write: (files) =>
      inTurn(async () => {
        const standing = running
        const inside = standing ?? (await start(IDLE.argv, { env: IDLE.env }))
        try {
          for (const file of files) await writeInside(inside, file)
        } finally {
          if (standing === null) await inside.close()
        }
      }),
    forkTo: (fork) =>
      inTurn(async () => {
        mustRest()
        await own(layer)
        try {
          await markNow()
          await freeze(parts, layer, fork)
          await copyBaseVersions(layer.bases, fork.bases)
        } finally {
          await disown(layer)
        }
      }),
    close: () => inTurn(async () => running?.close()),
  }
}

/** The changes at which the layer and the folder differ, and the new bases of those at which they do not differ any more. */
async function unsettled(folder: string, changes: readonly LayerChange[], put: Put) {
  const now = await mapAtOnce(changes, AT_ONCE, ({ path }) => storedFile(join(folder, path), put))
  const isSettled = changes.map(({ own }, index) => isSameFile(now[index] ?? null, own))
  return {
    changes: changes.filter((_, index) => isSettled[index] !== true),
    same: changes.filter((_, index) => isSettled[index] === true).map(({ path, own }): BaseLine => ({ kind: 'base', path, base: own })),
  }
}

async function mustBeMade(layer: DurableLayer): Promise<void> {
  if (!(await isMade(layer))) throw new EnvironmentFailure('ENOLAYER', 'This session has no layer.')
}

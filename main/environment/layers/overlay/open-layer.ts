import { realpath } from 'node:fs/promises'
import type { CopiedEntry } from '../../../agent/ports/command-copies.ts'
import { isSameEntry } from '../../copy/changes/folder-entries.ts'
import { homeOf } from '../../copy/run-in-copy.ts'
import { EnvironmentFailure } from '../../environment-failure.ts'
import type { Put } from '../stored-file.ts'
import { writeBaseVersions } from './base-versions.ts'
import { type DurableLayer, freeze, freezeCopy, type LayerPlaces } from './durable-layer.ts'
import { createLayerContents, type LayerContents, mustBeMade } from './layer-contents.ts'
import { disown, own } from './layer-owner.ts'
import type { RunningInLayer } from './running-in-layer.ts'
import type { LayerStart } from './start-in-layer.ts'
import { startWithHome } from './start-with-home.ts'
import { wholeFolders } from './whole-folders.ts'
import { type InsideFile, writeInside } from './write-inside.ts'

/** What a layer contains at each of these relative paths. Null where there is nothing. */
export type Standing = ReadonlyMap<string, CopiedEntry | null>

export interface OpenLayerParts extends LayerPlaces {
  readonly layer: DurableLayer
  /** Folders of Countersign that no program in a layer may see. */
  readonly hidden: readonly string[]
  readonly put: Put
  mapsEverybody(): Promise<boolean>
  /** The layer over which this one was made. Null if it is over the folder. */
  over(): Promise<Pick<OpenLayer, 'files' | 'entries'> | null>
}

/** The layer of one session, as this process uses it. Its methods do one piece of work after the other. */
export interface OpenLayer extends Omit<LayerContents, 'ready' | 'basesOfFork' | 'cover'> {
  start(argv: readonly [string, ...string[]], options: LayerStart): Promise<RunningInLayer>
  refresh(): Promise<void>
  /** See `OverlayLayers.makeWhole`. Rejects with `EXDEV` if something in the folder is not in the upper folder. */
  makeWhole(path: string): Promise<void>
  /**
   * `standing`: what the layer must still contain at these paths. Rejects with `ECHANGED`, and changes nothing, if it contains something
   * else.
   */
  write(files: readonly InsideFile[], standing?: Standing): Promise<void>
  /** Puts what this layer contains below another one, which is unfinished. `isOver`: whether that one is based on this one. */
  forkTo(fork: DurableLayer, isOver: boolean): Promise<void>
  /** Ends every program in the layer. */
  close(): Promise<void>
}

const isStill = (now: CopiedEntry | null, before: CopiedEntry | null): boolean =>
  now === null || before === null ? now === before : isSameEntry(now, before)

/** What runs while files are written into a layer in which nothing else runs. */
const IDLE = { argv: ['sleep', 'infinity'], env: { PATH: '/usr/bin:/bin' } } as const

export function openLayer({ layer, put, over, ...parts }: OpenLayerParts): OpenLayer {
  let running: RunningInLayer | null = null
  const refreshRunning = async (): Promise<void> => running?.refresh()
  const contents = createLayerContents({ layer, put, over, refresh: refreshRunning })
  let last = contents.ready
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const start: OpenLayer['start'] = async (argv, options) => {
    if (running) throw new EnvironmentFailure('ENOLAYER', "A program already runs in this session's layer.")
    await mustBeMade(layer)
    await own(layer)
    try {
      // A start shows the current folder. The base versions of files that were changed in the layer must be recorded before.
      await contents.mark()
      const [home, mapsEverybody] = await Promise.all([homeOf(), parts.mapsEverybody()])
      const ours = await Promise.all(parts.hidden.map((path) => realpath(path).catch(() => path)))
      const begun = await startWithHome({ layer, home, scratch: null, ours, mapsEverybody }, argv, options)
      running = begun
      void begun.ended.then(() => {
        running = null
        // By then, another program may have been started.
        void inTurn(async () => (running === null ? disown(layer) : undefined))
      })
      return begun
    } catch (error) {
      await disown(layer)
      throw error
    }
  }
  const refresh = async (): Promise<void> => {
    if (running === null) return
    await contents.mark()
    await refreshRunning()
  }
  return {
    start: (argv, options) => inTurn(() => start(argv, options)),
    refresh: () => inTurn(refresh),
    makeWhole: (path) =>
      inTurn(async () => {
        if (running === null) throw new EnvironmentFailure('ENOLAYER', "Nothing runs in this session's layer.")
        await contents.cover(await wholeFolders(layer.up, running, path))
        await refresh()
      }),
    mark: () => inTurn(contents.mark),
    changes: () => inTurn(contents.changes),
    state: () => inTurn(contents.state),
    moved: () => inTurn(contents.moved),
    entries: (paths) => inTurn(() => contents.entries(paths)),
    files: (paths) => inTurn(() => contents.files(paths)),
    rebase: (bases) => inTurn(() => contents.rebase(bases)),
    write: (files, standing = new Map()) =>
      inTurn(async () => {
        const paths = [...standing.keys()]
        const now = await contents.entries(paths)
        const changed = paths.find((path, index) => !isStill(now[index] ?? null, standing.get(path) ?? null))
        if (changed !== undefined) throw new EnvironmentFailure('ECHANGED', `${changed} has changed in the layer in the meantime.`)
        const used = running
        const inside = used ?? (await start(IDLE.argv, { env: IDLE.env }))
        try {
          for (const file of files) await writeInside(inside, file)
        } finally {
          if (used === null) await inside.close()
        }
      }),
    forkTo: (fork, isOver) =>
      inTurn(async () => {
        const isRunning = running !== null
        if (!isRunning) await own(layer)
        try {
          const bases = await contents.basesOfFork(isOver)
          await (isRunning ? freezeCopy : freeze)(parts, layer, fork)
          await writeBaseVersions(fork.bases, bases)
        } finally {
          if (!isRunning) await disown(layer)
        }
      }),
    close: () => inTurn(async () => running?.close()),
  }
}

import { deferredCalls, type Use } from '../../../../shared/lib/deferred-calls.ts'
import type { CommandCopies, SignedFile } from '../../../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../../../agent/ports/execution-environment.ts'
import type { FolderComparison } from '../../../agent/ports/folder-comparison.ts'
import type { CommandsInLayer, Layers, OpenedLayer } from '../../../agent/ports/layers.ts'
import { deferredEnvironment } from './deferred-environment.ts'
import { parseKept } from '../../../environment/copy/changes/change-set-schema.ts'
import { COPY_CALLS } from '../../here/folder-copies.ts'
import { LAYER_CALLS } from '../../here/folder-layers.ts'
import type { Site } from '../../site.ts'
import { portsIfRunning } from '../../ports-if-running.ts'
import { notCompared } from '../remote-comparison.ts'

/** The parts of a site that need no running host process. */
export interface SiteFacts {
  readonly folder: string
  readonly platform: string
  readonly osVersion: string
  /** Informs the folder's host process, and each later one, that the user has signed these files. */
  sign(files: readonly SignedFile[]): void
  /** Runs `work` only if the folder's host process is running. */
  ifRunning(work: (site: Omit<Site, 'inside'>) => unknown): void
  /**
   * Called with true before a program is started that may outlive its call, and with false when all programs at the path have been ended.
   * In between, the host process must not be ended for lack of use. `path`: empty for the folder, otherwise the layers' sessions:
   * `/s_1/s_2`.
   */
  inUse(path: string, isInUse: boolean): void
}

/** The calls of an environment that start a program that may outlive them. */
const LASTING = ['execCommand', 'openShell', 'open'] as const

function environmentAt(
  { folder, platform, osVersion, inUse }: SiteFacts,
  path: string,
  use: Use<ExecutionEnvironment>,
  running: () => Promise<ExecutionEnvironment> | null,
): ExecutionEnvironment {
  const facts = { workingDirectory: () => folder, platform: () => platform, osVersion: () => osVersion }
  const useLasting: Use<ExecutionEnvironment> = (work) => {
    inUse(path, true)
    return use(work)
  }
  return {
    ...deferredEnvironment(facts, use),
    ports: portsIfRunning(running),
    ...deferredCalls<ExecutionEnvironment, (typeof LASTING)[number]>(LASTING, useLasting),
  }
}

/** A folder whose host process starts with the first call. `use`: starts it if none runs. `hasCopies`: whether it has copies and layers. */
export function deferredSite(facts: SiteFacts, hasCopies: boolean, use: Use<Omit<Site, 'inside'>>): Site {
  const { ifRunning, inUse } = facts
  const environment = environmentAt(
    facts,
    '',
    (work) => use((site) => work(site.environment)),
    () => running(facts, (site) => Promise.resolve(site.environment)),
  )
  const useCopies: Use<CommandCopies> = (work) => use((site) => work(existing(site.copies)))
  const useLayers: Use<Layers> = (work) => use((site) => work(existing(site.layers)))
  return {
    environment: {
      ...environment,
      async cleanup() {
        inUse('', false)
        await endIfRunning(facts, (site) => site.environment.cleanup())
      },
    },
    comparison: deferredComparison((work) => use((site) => work(site.comparison)), ifRunning),
    copies: hasCopies ? deferredCopies(facts, useCopies) : null,
    layers: hasCopies ? deferredLayers(facts, '', useLayers, () => running(facts, (site) => Promise.resolve(existing(site.layers)))) : null,
    inside: null,
  }
}

/** The result of work at the folder's host process. Null if none runs: one is not started for this. */
function running<T>({ ifRunning }: SiteFacts, work: (site: Omit<Site, 'inside'>) => Promise<T>): Promise<T> | null {
  let result: Promise<T> | null = null
  ifRunning((site) => {
    result = work(site)
  })
  return result
}

/** Runs work that ends something, unless the host process has ended, and everything with it. */
async function endIfRunning({ ifRunning }: SiteFacts, work: (site: Omit<Site, 'inside'>) => Promise<void>): Promise<void> {
  let ending: Promise<void> = Promise.resolve()
  ifRunning((site) => {
    ending = work(site)
  })
  await ending
}

function deferredComparison(use: Use<FolderComparison>, ifRunning: SiteFacts['ifRunning']): FolderComparison {
  const prepare = (comparison: FolderComparison): Promise<void> => Promise.resolve(comparison.prepare())
  return {
    // Preparing saves time only if the host process is already running.
    prepare: () => ifRunning(() => void use(prepare).catch(() => {})),
    begin: () =>
      use((comparison) => comparison.begin()).catch((error: unknown) => ({
        end: () => Promise.resolve(notCompared(error)),
        drop: () => {},
      })),
    dispose() {},
  }
}

function deferredCopies(facts: SiteFacts, use: Use<CommandCopies>): CommandCopies {
  return {
    ...deferredCalls<CommandCopies, (typeof COPY_CALLS)[number]>(COPY_CALLS, use),
    parseKept,
    sign: facts.sign,
    cleanup: () => endIfRunning(facts, async (site) => site.copies?.cleanup()),
  }
}

function deferredLayers(facts: SiteFacts, path: string, use: Use<Layers>, runningLayers: () => Promise<Layers> | null): Layers {
  return {
    ...deferredCalls<Layers, (typeof LAYER_CALLS)[number]>(LAYER_CALLS, use),
    async open(sessionId) {
      const useLayer: Use<OpenedLayer> = (work) => use(async (layers) => work(await layers.open(sessionId)))
      const { inside } = await use((layers) => layers.open(sessionId))
      const own = `${path}/${sessionId}`
      const runningLayer = () => runningLayers()?.then((layers) => layers.open(sessionId)) ?? null
      const environment = environmentAt(
        facts,
        own,
        (work) => useLayer((layer) => work(layer.environment)),
        () => runningLayer()?.then((layer) => layer.environment) ?? null,
      )
      return {
        environment: {
          ...environment,
          async cleanup() {
            facts.inUse(own, false)
            await endIfRunning(facts, () => environment.cleanup())
          },
        },
        inside: inside && deferredInside(facts, (work) => useLayer((layer) => work(existing(layer.inside)))),
        copies: deferredCopies(facts, (work) => useLayer((layer) => work(layer.copies))),
        layers: deferredLayers(
          facts,
          own,
          (work) => useLayer((layer) => work(layer.layers)),
          () => runningLayer()?.then((layer) => layer.layers) ?? null,
        ),
      }
    },
    close: () => endIfRunning(facts, async (site) => site.layers?.close()),
  }
}

const INSIDE_CALLS = ['whyFailed', 'forward'] as const

function deferredInside({ ifRunning }: SiteFacts, use: Use<CommandsInLayer>): CommandsInLayer {
  let ended: readonly string[] = []
  return {
    ...deferredCalls<CommandsInLayer, (typeof INSIDE_CALLS)[number]>(INSIDE_CALLS, use),
    begin: (...args) =>
      use(async (inside) => {
        const begun = await inside.begin(...args)
        ended = [...ended, ...inside.takeEnded()]
        return begun
      }),
    takeEnded() {
      const taken = ended
      ended = []
      return taken
    },
    comparison: deferredComparison((work) => use((inside) => work(inside.comparison)), ifRunning),
  }
}

/** A part of a site that has copies and layers. */
export function existing<T>(part: T | null): T {
  if (part === null) throw new Error('The host process was started without copies and layers.')
  return part
}

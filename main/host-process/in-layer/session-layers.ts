import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { CommandCopies } from '../../agent/ports/command-copies.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import type { CrashNotes } from '../../environment/crash-notes.ts'
import type { LayerPlaces } from '../../environment/layers/overlay/durable-layer.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import { DATA_INSIDE } from '../../environment/copy/copy-support.ts'
import { statsAt } from '../../environment/copy/changes/folder-entries.ts'
import { homeOf } from '../../environment/copy/run-in-copy.ts'
import { deniedPlaces } from '../../environment/copy/start/denied-places.ts'
import { createCloneLayers } from '../../environment/layers/clone-layers.ts'
import { eitherLayers } from '../../environment/layers/either-layers.ts'
import { namedAsFolder } from '../../environment/layers/named-as-folder.ts'
import { createLayerCopies } from '../../environment/layers/overlay/layer-copies.ts'
import { createLayerComparison } from '../../environment/layers/overlay/layer-state.ts'
import { createOverlayLayers, type OverlayLayers } from '../../environment/layers/overlay/overlay-layers.ts'
import { createLocalExecutionEnvironment } from '../../environment/local-environment.ts'
import { isInside } from '../../is-inside.ts'
import { hostInLayer } from './host-in-layer.ts'
import { localHost } from '../near/local-host.ts'

export interface SessionLayersParts {
  /** Countersign's own folders, which no program in a layer may see. */
  readonly hidden: readonly string[]
  readonly places: LayerPlaces
  readonly blobs: Pick<BlobStore, 'putInSlices' | 'getInSlices'>
  readonly notes: CrashNotes
  readonly redactor: Redactor
  /** Paths that programs in a session's layer may read although they are hidden otherwise. Paths that do not exist are ignored. */
  visible(sessionId: SessionId): readonly string[]
  /** Paths that programs in a session's layer may also change. */
  writable(sessionId: SessionId): readonly string[]
  allowVariables(folder: string): readonly string[]
  /** Patterns of the files that programs in a session's layer may not read. */
  denied(folder: string, sessionId: SessionId): readonly string[]
  /** The copies in which commands see `source` at the path of `folder`. `above`: see `CopyParts`. */
  createCopies(folder: string, source: string, above?: () => Promise<readonly string[]>): CommandCopies
}

/** The layers of the sessions of one folder, given by its real path. */
export function createSessionLayers(folder: string, parts: SessionLayersParts): Layers {
  const { hidden, places, blobs, notes, redactor } = parts
  const options = { notes, redactor, allowVariables: () => parts.allowVariables(folder) }
  const copiesOf = (source: string) => parts.createCopies(folder, source)
  const whyUnconfined = async (): Promise<string | null> => {
    const support = await copiesOf(folder).support()
    return support.kind === 'present' ? null : `${support.reason} ${support.wayOut}`
  }
  const shared = { folder, put: blobs.putInSlices, get: blobs.getInSlices }
  const overlay = createOverlayLayers({ ...shared, ...places, hidden, missing: whyUnconfined })
  return eitherLayers({
    layers: places.layers,
    overlay: withHost(overlay, folder, parts),
    clone: createCloneLayers({
      ...shared,
      layers: places.layers,
      missing: async () => {
        if (isInside(folder, places.layers)) return `${DATA_INSIDE} ${folder}. Choose a data folder outside it.`
        return (await whyUnconfined()) !== null && (await isLinked(folder)) ? LINKED : null
      },
      whyUnconfined,
      openTree: (tree) => ({
        environment: createLocalExecutionEnvironment(tree, { ...options, redactor: namedAsFolder(redactor, tree, folder) }),
        copies: copiesOf(tree),
      }),
    }),
    whyClones: async () => (await whyUnconfined()) ?? whyClones(),
  })
}

/** Whether the folder's repository is elsewhere, as in a linked worktree or a submodule. */
const isLinked = async (folder: string): Promise<boolean> => (await statsAt(join(folder, '.git')))?.isFile() === true

const LINKED =
  'The repository of this folder is outside it, as in a linked worktree, so commits in a clone of the folder would change that repository.'

/** Why sessions work in a clone of the folder although layers are possible, as a sentence. Null if they work in an overlay. */
export async function whyClones(): Promise<string | null> {
  if (process.platform !== 'linux') return 'Sessions work beside a folder without a clone of it only on Linux.'
  return localHost().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

/** Layers in which a host process stands, through which everything in them is done. */
function withHost(layers: OverlayLayers, folder: string, parts: SessionLayersParts): Layers {
  const { blobs, notes, redactor, allowVariables, denied } = parts
  return {
    ...layers,
    async open(sessionId) {
      const real = await realpath(folder)
      const { environment, ...commands } = hostInLayer({
        folder: real,
        redactor,
        machine: createLocalExecutionEnvironment(real, { notes, redactor, allowVariables: () => allowVariables(folder) }),
        visible: parts.visible(sessionId),
        writable: parts.writable(sessionId),
        isUntouched: () => layers.isUntouched(sessionId),
        start: (argv, start) => layers.start(sessionId, argv, start),
        refresh: () => layers.refresh(sessionId),
        makeWhole: (path) => layers.makeWhole(sessionId, path),
        mark: () => layers.mark(sessionId),
        allowVariables: () => allowVariables(folder),
        denied: () => denied(folder, sessionId),
        async deniedPaths(patterns) {
          const { paths } = await deniedPlaces({ patterns, folder: real, source: real, home: await homeOf(), cover: '' })
          return paths
        },
      })
      const state = () => layers.state(sessionId)
      const refresh = () => layers.refresh(sessionId)
      return {
        environment,
        inside: { ...commands, comparison: createLayerComparison({ state, refresh, bytesOf: blobs.getInSlices }) },
        copies: createLayerCopies({
          folder,
          sessionId,
          layers,
          throwAway: parts.createCopies(folder, folder, () => layers.uppers(sessionId)),
        }),
        layers: withHost(layers.over(sessionId), folder, parts),
      }
    },
  }
}

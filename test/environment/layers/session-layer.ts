import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { SessionId } from '../../../shared/lib/ids.ts'
import type { Layers, OpenedLayer } from '../../../main/agent/ports/layers.ts'
import { NO_NOTES } from '../../../main/environment/crash-notes.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { createCloneLayers } from '../../../main/environment/layers/clone-layers.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { namedAsFolder } from '../../../main/environment/layers/named-as-folder.ts'
import { NOTHING_HIDDEN } from '../../../main/environment/nothing-hidden.ts'
import { createSessionLayers } from '../../../main/host-process/in-layer/session-layers.ts'
import { removeFolder } from '../../support/remove-folder.ts'
import { plant } from '../support.ts'
import { memoryBlobs } from './support.ts'

export interface SessionLayer extends OpenedLayer {
  readonly folder: string
  readonly data: string
}

const SESSION = SessionId.parse('ses_1')

/** The layer of a session over a new folder, as the app opens it. Everything is removed when the test has ended. */
export async function sessionLayer(kind: 'overlay' | 'clone', files: Readonly<Record<string, string>> = {}): Promise<SessionLayer> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'session-layer-')))
  const folder = join(base, 'project')
  const data = join(base, 'data')
  mkdirSync(folder)
  plant(folder, files)
  const layers = kind === 'overlay' ? overlay(folder, data) : clone(folder, data)
  onTestFinished(async () => {
    await layers.close()
    removeFolder(base)
  })
  await layers.make(SESSION, AbortSignal.timeout(60_000))
  return { ...(await layers.open(SESSION)), folder, data }
}

const copiesOf = (folder: string, data: string) => (source: string) =>
  createLocalCommandCopies({ folder, source, layers: join(data, 'command-copies') })

function overlay(folder: string, data: string): Layers {
  const { put } = memoryBlobs()
  return createSessionLayers(folder, {
    hidden: [data],
    places: { layers: join(data, 'layers'), frozen: join(data, 'frozen') },
    blobs: { putInSlices: put, getInSlices: () => Promise.reject(new Error('Nothing is read.')) },
    notes: NO_NOTES,
    redactor: NOTHING_HIDDEN,
    visible: () => [],
    writable: () => [],
    allowVariables: () => [],
    denied: () => [],
    createCopies: (of, source, above) =>
      createLocalCommandCopies({ folder: of, source, layers: join(data, 'command-copies'), ...(above && { above }) }),
  })
}

function clone(folder: string, data: string): Layers {
  const { put } = memoryBlobs()
  return createCloneLayers({
    folder,
    layers: join(data, 'copies'),
    missing: () => Promise.resolve(null),
    put,
    get: () => Promise.reject(new Error('Nothing is read.')),
    openTree: (tree) => ({
      environment: createLocalExecutionEnvironment(tree, { redactor: namedAsFolder(NOTHING_HIDDEN, tree, folder) }),
      copies: copiesOf(folder, data)(tree),
    }),
  })
}

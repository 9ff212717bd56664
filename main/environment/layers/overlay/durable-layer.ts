import { mkdir, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SessionId } from '../../../../shared/lib/ids.ts'
import { statsAt } from '../../copy/changes/folder-entries.ts'
import { EnvironmentFailure, whyNot } from '../../environment-failure.ts'
import { runOwnProgram } from '../../own-programs/run-own-program.ts'
import { type Layer, layerAt, makeLayerAt, makeTemporaryAt, removeLayer } from '../../copy/overlay-layer.ts'

/**
 * A layer that stays until it is removed, even after a crash of the app or the machine. Its folder is named after its session. `up`
 * contains what differs from what is below, which is the frozen folders of a fork, and then the real folder.
 */
export interface DurableLayer extends Layer {
  /** A file that exists while the layer is complete. */
  readonly made: string
  /** The versions on which the files of the layer were based. */
  readonly bases: string
  /** The file of `ExpectedBases`. */
  readonly expected: string
  /** The paths of the frozen folders below, one a line, the uppermost first. */
  readonly below: string
  /** A file with the session over whose layer this layer was made. It is missing if the layer is over the folder. */
  readonly over: string
  /** A file that names the process that uses the layer. */
  readonly owner: string
  /** `/tmp`, as programs in the layer see it. */
  readonly temporary: string
  /** Since the change time of this file, the layer may have shown old versions of what was replaced in the real folder. */
  readonly fresh: string
}

export function durableLayerAt(layers: string, sessionId: SessionId): DurableLayer {
  const layer = layerAt(join(layers, sessionId))
  const at = (name: string): string => join(layer.path, name)
  return {
    ...layer,
    made: at('made'),
    bases: at('bases'),
    expected: at('expected'),
    below: at('below'),
    over: at('over'),
    owner: at('owner'),
    temporary: at('tmp'),
    fresh: at('fresh'),
  }
}

/** Where layers are kept. */
export interface LayerPlaces {
  readonly layers: string
  /** Contains what was frozen. On the same file system as `layers`, and not in it. */
  readonly frozen: string
}

/** Creates the layer of a session in place of the one that it may have. If that fails, nothing is left of it. */
export async function makeDurableLayer(places: LayerPlaces, sessionId: SessionId, folder: string): Promise<DurableLayer> {
  await removeDurableLayer(places, sessionId)
  const layer = durableLayerAt(places.layers, sessionId)
  await makeLayerAt(layer.path, { folder, home: null, scratch: null })
  try {
    await makeTemporaryAt(layer.temporary)
    await touch(layer.fresh)
  } catch (error) {
    await removeDurableLayer(places, sessionId)
    throw error
  }
  return layer
}

/** The session over whose layer this one was made. Null if it is over the folder. */
export async function overOf({ over }: DurableLayer): Promise<SessionId | null> {
  const text = await readFile(over, 'utf8').catch(() => null)
  return text === null ? null : SessionId.parse(text)
}

/** Called last, because a layer without this file counts as unfinished. */
export async function finish({ made }: DurableLayer): Promise<void> {
  await (await open(made, 'wx', 0o600)).close()
}

export const isMade = async ({ made }: DurableLayer): Promise<boolean> => (await statsAt(made)) !== null

/** Whether a layer contains exactly what is in the folder. False while a program is being started in it. */
export async function isUntouched(layer: DurableLayer): Promise<boolean> {
  const [own, below] = await Promise.all([readdir(layer.up).catch(() => ['']), frozenBelow(layer)])
  return own.length === 0 && below.length === 0
}

/**
 * Removes a layer. `made` is removed first, because every missing file of a half-removed layer could count as a change. A frozen folder
 * remains while another layer needs it.
 */
export async function removeDurableLayer({ layers }: LayerPlaces, sessionId: SessionId): Promise<void> {
  const layer = durableLayerAt(layers, sessionId)
  const frozen = await frozenBelow(layer)
  await rm(layer.made, { force: true })
  await removeLayer(layer)
  if (frozen.length === 0) return
  const names = await readdir(layers)
  const needed = new Set((await Promise.all(names.map((name) => frozenBelow({ below: join(layers, name, 'below') })))).flat())
  for (const path of frozen) if (!needed.has(path)) await removeLayer({ path })
}

/** The frozen folders below a layer, the uppermost first. */
export async function frozenBelow({ below }: Pick<DurableLayer, 'below'>): Promise<readonly string[]> {
  const [first, ...others] = (await readFile(below, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  if (first === undefined) return []
  // The process that froze it was killed just before it moved the folder.
  return (await statsAt(first)) === null ? others : [first, ...others]
}

/** The folders that contain what differs from the real folder, the uppermost first. */
export async function uppersOf(layer: DurableLayer): Promise<readonly string[]> {
  return [layer.up, ...(await frozenBelow(layer))]
}

/**
 * Moves what a layer contains to a folder of its own, which is then below this layer and below `fork`. Nothing may run in the layer. If the
 * process is killed at any moment, no layer has lost anything.
 */
export async function freeze({ frozen }: LayerPlaces, layer: DurableLayer, fork: DurableLayer): Promise<void> {
  const before = await frozenBelow(layer)
  await makeUpper(layer)
  const hasChanges = (await readdir(layer.up)).length > 0
  if (!hasChanges) return writeWhole(fork.below, before.join('\n'))
  await mkdir(frozen, { recursive: true, mode: 0o700 })
  const path = join(frozen, crypto.randomUUID())
  const now = [path, ...before].join('\n')
  await writeWhole(layer.below, now)
  await rename(layer.up, path)
  await makeUpper(layer)
  await writeWhole(fork.below, now)
}

/** As `freeze`, while programs run in the layer: it keeps its folder, and the fork gets a copy of what is in it. */
export async function freezeCopy({ frozen }: LayerPlaces, layer: DurableLayer, fork: DurableLayer): Promise<void> {
  await mkdir(frozen, { recursive: true, mode: 0o700 })
  const path = join(frozen, crypto.randomUUID())
  const { failure, stderr } = await runOwnProgram('cp', ['-a', '--reflink=auto', '--', layer.up, path], { cwd: '/' })
  if (failure) {
    await removeLayer({ path })
    throw new EnvironmentFailure('ENOLAYER', `The layer could not be copied: ${stderr.trim() || whyNot(failure)}`)
  }
  await writeWhole(fork.below, [path, ...(await frozenBelow(layer))].join('\n'))
}

/** A process that was killed while it froze the layer may have left it without this folder. */
export async function makeUpper({ up }: Layer): Promise<void> {
  await mkdir(up, { recursive: true, mode: 0o700 })
}

/** Returns the real path of the folder that the layer covers. */
export const folderOf = ({ path }: Layer): Promise<string> => realpath(join(path, 'low'))

/** Sets the change time of a file to now. */
export async function touch(path: string): Promise<void> {
  await writeFile(path, '', { mode: 0o600 })
}

/** Even if the process is killed, the file then has its old or its new content. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

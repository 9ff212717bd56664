import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { SessionId } from '../../../shared/lib/ids.ts'
import { hasOwnerEnded, removeLayer } from '../copy/overlay-layer.ts'
import { statsAt } from '../copy/changes/folder-entries.ts'
import { codeOf } from '../environment-failure.ts'
import { isRunning, PROCESS_SPACE } from '../temporary-folder.ts'
import { placesOf } from './layer-places.ts'
import { durableLayerAt, type LayerPlaces, removeDurableLayer } from './overlay/durable-layer.ts'

/**
 * Removes layers that killed processes have left. `isNeeded`: whether a session still works in the layer, or its changes have not been
 * handed over yet. Rejects only if `isNeeded` does: a layer that cannot be removed only takes space on the disk, and the next launch tries
 * again.
 */
export async function removeLeftLayers(places: LayerPlaces, isNeeded: (sessionId: SessionId) => Promise<boolean>): Promise<void> {
  for (const name of await readdir(places.layers).catch(() => [])) {
    const id = SessionId.safeParse(name)
    if (!id.success || (await isBeingMade(places.layers, id.data)) || (await isInUse(places.layers, id.data))) continue
    if (await isNeeded(id.data)) continue
    await removeDurableLayer(places, id.data).catch(() => {})
  }
}

/**
 * Removes the frozen folders that are below no layer any more. Call this only while no other process uses the layers. Removes nothing if a
 * layer cannot be read.
 */
export async function removeLeftFrozen({ layers, frozen }: LayerPlaces): Promise<void> {
  const names = await readdir(frozen).catch(() => [])
  if (names.length === 0) return
  const lists = await listsIn(layers).catch(() => null)
  if (lists === null) return
  // Compares names, because the data folder may have been moved.
  const needed = new Set(lists.flat().map((path) => basename(path)))
  for (const name of names) if (!needed.has(name)) await removeLayer({ path: join(frozen, name) }).catch(() => {})
}

const listsIn = async (layers: string): Promise<readonly (readonly string[])[]> =>
  Promise.all((await readdir(layers)).map((name) => readBelow(join(layers, name, 'below'))))

async function readBelow(path: string): Promise<readonly string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}

/**
 * Whether the layer is still being made. The session of a subagent is created only when its layer is complete, so until then no session
 * shows that the layer is in use.
 */
async function isBeingMade(layers: string, sessionId: SessionId): Promise<boolean> {
  const { maker, made } = placesOf(layers, sessionId)
  if ((await statsAt(made)) !== null) return false
  const [pid, space] = (await readFile(maker, 'utf8').catch(() => '')).split('.')
  return space === PROCESS_SPACE && isRunning(Number(pid))
}

/** Whether a process works in the layer. The layer of a check has no session. */
async function isInUse(layers: string, sessionId: SessionId): Promise<boolean> {
  const owner = await readFile(durableLayerAt(layers, sessionId).owner, 'utf8').catch(() => null)
  return owner !== null && !hasOwnerEnded(owner)
}

import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SessionId } from '../../../shared/lib/ids.ts'

/** A layer on disk, of either kind. `bytes`: the size of its files. */
export interface LayerOnDisk {
  readonly sessionId: SessionId
  readonly bytes: number
}

/** All layers below this folder of Countersign, the largest first. */
export async function layersOnDisk(folder: string): Promise<readonly LayerOnDisk[]> {
  const layers: LayerOnDisk[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const id = SessionId.safeParse(name)
    if (id.success) layers.push({ sessionId: id.data, bytes: await bytesBelow(join(folder, name)) })
  }
  return layers.toSorted((a, b) => b.bytes - a.bytes)
}

/** Size of all files below a folder, in bytes. What cannot be read is left out. */
async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    const here = next
    folders.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(here, name)))
    const files = entries.filter((entry) => !entry.isDirectory())
    const sizes = await Promise.all(
      files.map(({ name }) =>
        lstat(join(here, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    )
    bytes += sizes.reduce((sum, size) => sum + size, 0)
  }
  return bytes
}

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { isInside } from '../../is-inside.ts'
import { statsAt } from '../copy/changes/folder-entries.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { placesOf } from './layer-places.ts'

interface ShownFile {
  /** The folder of Countersign that contains the layers. */
  readonly layers: string
  /** The session that owns the layer. */
  readonly sessionId: SessionId
  /** Real path. */
  readonly folder: string
  /** Absolute, in the folder. */
  readonly path: string
  /** The environment of the layer. */
  readonly environment: Pick<ExecutionEnvironment, 'readBytes'>
}

/**
 * Where the user's own programs, such as the editor, find the version of a file that a session sees in its layer. In a clone, that is the
 * file itself. Of an overlay's own version it is a copy that cannot be written, because what is written there would not reach the layer. It
 * stays as long as the layer. Null if the session sees the folder's version, or the path is outside the folder. If the session has deleted
 * the file, nothing is at the returned path.
 */
export async function shownFile({ layers, sessionId, folder, path, environment }: ShownFile): Promise<string | null> {
  if (!isInside(folder, path)) return null
  const places = placesOf(layers, sessionId)
  const at = relative(folder, path)
  if ((await statsAt(places.tree)) !== null) return join(places.tree, at)
  const own = await environment.readBytes(path).catch(() => null)
  const real = await readRegularFile(path).catch(() => null)
  const isSame = own === null || real === null ? own === real : Buffer.compare(own, real) === 0
  if (isSame) return null
  const copy = join(places.path, 'shown', at)
  await rm(copy, { recursive: true, force: true })
  if (own === null) return copy
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  await writeFile(copy, own, { mode: 0o400 })
  return copy
}

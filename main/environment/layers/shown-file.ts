import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { isInside } from '../../is-inside.ts'
import { statsAt } from '../copy/changes/folder-entries.ts'
import { codeOf } from '../environment-failure.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { placesOf } from './layer-places.ts'

interface ShownFile {
  /** The folder of Countersign that contains the layers. */
  readonly layers: string
  /** The session that owns the layer. */
  readonly sessionId: SessionId
  /** The real path of the project folder. */
  readonly folder: string
  /** Absolute, in the folder. */
  readonly path: string
  /** The environment of the layer. */
  readonly environment: Pick<ExecutionEnvironment, 'readBytes'>
}

/** Where the user's programs find a file. After links are resolved, it must be in the folder `root`. */
export interface PlaceOfFile {
  readonly path: string
  readonly root: string
}

/**
 * Returns where the user's own programs, such as the editor, find the session's version of a file. In a clone, that is the file itself. In an
 * overlay, it is a read-only copy, because changes to the copy would not reach the layer; the copy stays as long as the layer. Null if the
 * session sees the folder's version, or if the path is outside the folder. If the session has deleted the file, nothing is at the returned
 * path. If a version cannot be read, rejects and keeps an earlier copy.
 */
export async function shownFile({ layers, sessionId, folder, path, environment }: ShownFile): Promise<PlaceOfFile | null> {
  if (!isInside(folder, path)) return null
  const places = placesOf(layers, sessionId)
  const at = relative(folder, path)
  if ((await statsAt(places.tree)) !== null) return { path: join(places.tree, at), root: places.tree }
  const own = await environment.readBytes(path).catch(nullIfNoFile)
  // Any failure counts as another version: the folder's version is shown only if it is known to be the same.
  const real = await readRegularFile(path).catch(() => null)
  const isSame = own === null || real === null ? own === real : Buffer.compare(own, real) === 0
  if (isSame) return null
  const root = join(places.path, 'shown')
  const copy = join(root, at)
  await makeRoom(root, at)
  if (own === null) return { path: copy, root }
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  await writeFile(copy, own, { mode: 0o400 })
  return { path: copy, root }
}

function nullIfNoFile(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')) return null
  throw error
}

/** Removes an earlier copy at this relative path, and a copy of a file where the session now has a folder. */
async function makeRoom(root: string, at: string): Promise<void> {
  const parts = at.split(sep)
  for (let depth = 1; depth < parts.length; depth++) {
    const above = join(root, ...parts.slice(0, depth))
    if ((await statsAt(above))?.isDirectory() === false) await rm(above)
  }
  await rm(join(root, at), { recursive: true, force: true })
}

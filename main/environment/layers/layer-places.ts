import { join } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'

/** The content of `made` in a layer whose files all have to be compared, because it was copied from another layer. */
export const COMPARE_ALL = 'all'

/** A line of `made`: the bases contain links. Those of older versions do not. */
export const WITH_LINKS = 'links'

/**
 * Where the layer of a session is. `tree`: the folder in which the session works. `base`: the files on which it is based, without ignored
 * ones. `maker`: a file that identifies the process that made the layer. `made`: a file that exists while the layer is complete.
 * It contains its own inode number, which a copy of the file does not match. `expected`: see `ExpectedBases`.
 */
export function placesOf(layers: string, sessionId: SessionId) {
  const path = join(layers, sessionId)
  const at = (name: string): string => join(path, name)
  return { path, tree: at('tree'), base: at('base'), maker: at('maker'), made: at('made'), expected: at('expected') }
}

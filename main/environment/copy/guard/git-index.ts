import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { runOwnProgram } from '../../own-programs/run-own-program.ts'

/** Maximum number of paths that are passed to one run of git. The system refuses a longer command line, and a path may have 4,096 bytes. */
const PATHS_AT_ONCE = 256

/** Which index is read: that of the folder's own repository, or that of a repository above the folder. */
export type IndexPlace = 'own' | 'above'

/**
 * The names of the blobs in git's index for the files at and below these paths, which are relative to the folder. Starts no program that is
 * configured in the repository. For `above`, a repository in the folder itself is ignored, because a command may have just created it.
 */
export async function indexOf(folder: string, paths: readonly string[], place: IndexPlace): Promise<ReadonlyMap<string, string>> {
  const [cwd, prefix] = place === 'own' ? [folder, ''] : [dirname(folder), `${basename(folder)}/`]
  const listed = new Map<string, string>()
  for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
    const some = paths.slice(from, from + PATHS_AT_ONCE).map((path) => prefix + path)
    const text = await listIndex(cwd, some)
    for (const [, name = '', path = ''] of text.matchAll(/\d+ ([0-9a-f]+) 0\t([^\0]*)\0/gu)) listed.set(path.slice(prefix.length), name)
  }
  return listed
}

export const NO_INDEX: ReadonlyMap<string, string> = new Map()

async function listIndex(folder: string, paths: readonly string[]): Promise<string> {
  const settings = [
    '--no-optional-locks',
    '--literal-pathspecs',
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'safe.directory=*',
  ]
  const { failure, stdout } = await runOwnProgram('git', [...settings, 'ls-files', '-s', '-z', '--', ...paths], {
    cwd: folder,
    variables: { GIT_CEILING_DIRECTORIES: '' },
    maxBytes: 16 * 1024 * 1024,
  })
  // If there is no git or no repository, no file is in an index.
  return failure ? '' : stdout.toString('utf8')
}

/** Whether `name` is git's object name for these bytes. */
export function isBlob(bytes: Uint8Array, name: string): boolean {
  const hash = createHash(name.length > 40 ? 'sha256' : 'sha1').update(`blob ${bytes.length}\0`)
  return hash.update(bytes).digest('hex') === name
}

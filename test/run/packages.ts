import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { folderBytes } from '../../main/bootstrap/files.mjs'
import { isRoot } from '../../main/bootstrap/places.mjs'
import { runQuietly } from '../../main/bootstrap/processes.mjs'
import { say, withProgress } from '../../main/bootstrap/say.mjs'

const APT = '/usr/bin/apt-get'

/**
 * The programs that the tests of copies need, each with its Debian package. Only tests read extended attributes with getfattr.
 */
const COPY_PROGRAMS = [
  ['bwrap', 'bubblewrap'],
  ['getfattr', 'attr'],
] as const

export const hasApt = (): boolean => existsSync(APT)

/** Installs Debian packages with apt-get, and prints a message if that fails. Call it only as root and if `hasApt()`. */
export async function installPackages(root: string, packages: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const watch = { limitMs: 60_000, measure: () => folderBytes('/var/cache/apt/archives') }
  const apt = (...args: readonly string[]): ReturnType<typeof runQuietly> => runQuietly(APT, args, { cwd: root, env, watch })
  const names = packages.map((name) => `"${name}"`).join(' and ')
  const ending = await withProgress(
    `Installing the Debian ${packages.length === 1 ? 'package' : 'packages'} ${names} with apt-get`,
    () => '',
    async () => {
      await apt('update', '-q')
      return apt('install', '-q', '-y', '--no-install-recommends', ...packages)
    },
  )
  if (ending.kind !== 'done') say(`apt-get could not install ${names}.`)
}

/** Returns the Debian packages that are missing for running commands in copies. Empty on systems where commands cannot run in copies. */
export function missingCopyPackages(platform: string, path: string | undefined): string[] {
  if (platform !== 'linux') return []
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  const isThere = (program: string): boolean => folders.some((folder) => existsSync(join(folder, program)))
  return COPY_PROGRAMS.filter(([program]) => !isThere(program)).map(([, name]) => name)
}

/**
 * Makes sure that the tests of copies can run. Most of them are skipped if the programs for copies are missing. If this runs as root on
 * Debian, installs the missing packages. Returns the packages that are still missing.
 */
export async function copyPackagesForTests(root: string): Promise<readonly string[]> {
  const missing = missingCopyPackages(process.platform, process.env['PATH'])
  if (missing.length === 0) return []
  if (!isRoot() || !hasApt()) {
    say(`The tests of commands in copies are skipped. To run them: install ${missing.join(' and ')} with your package manager.`)
    return missing
  }
  await installPackages(root, missing)
  return missingCopyPackages(process.platform, process.env['PATH'])
}

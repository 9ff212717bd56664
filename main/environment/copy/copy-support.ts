import { readFile } from 'node:fs/promises'
import type { CopySupport } from '../../agent/ports/command-copies.ts'
import { ownProgram } from '../own-programs/own-programs.ts'
import { runOwnProgram } from '../own-programs/run-own-program.ts'
import { NO_SHELL } from '../process/find-program.ts'
import { isBelow } from './start/sandbox-view.ts'

const absent = (reason: string, wayOut: string): CopySupport => ({ kind: 'absent', reason, wayOut })

/** Each program, and the package that contains it. Without socat, a copy has no network. */
export const PROGRAMS = [
  ['bwrap', 'bubblewrap'],
  ['unshare', 'util-linux'],
  ['tar', 'tar'],
  ['socat', 'socat'],
] as const

/** How to install the missing programs for copies on this system, in one line. */
export function wayToInstall(): string {
  const packages = PROGRAMS.flatMap(([program, name]) => (ownProgram(program) === null ? [name] : []))
  const command = installCommand(packages)
  return command === null ? `Install ${packages.join(' and ')}.` : `Type: ${command}`
}

/**
 * Returns the first requirement for copies that this machine lacks. If none is lacking, copies may still fail: only running `true` in one
 * shows whether they work.
 */
export async function missingPart(): Promise<CopySupport> {
  if (process.platform !== 'linux')
    return absent('Running commands in a copy is supported only on Linux.', 'Instead, commands must be signed before they run.')
  const missing = PROGRAMS.find(([program]) => program !== 'socat' && ownProgram(program) === null)
  if (missing) return absent(`The program ${missing[0]} is not installed.`, wayToInstall())
  if (!(await succeeds('tar', ['--xattrs', '--version']))) return absent('The program tar is not GNU tar.', 'Install GNU tar.')
  if (!(await mayUnshare())) return absent('This system does not let programs create user namespaces.', wayToNamespaces())
  return { kind: 'present' }
}

/** The beginning of the message if a copy would contain the data of the app itself. */
export const DATA_INSIDE = 'Countersign keeps its own data inside'

/** The beginning of the message if a mount makes a copy impossible. */
const MOUNTED = 'Another file system is mounted inside the folder, at '

export const mountInside = (path: string, more: number): string =>
  `${MOUNTED}${path}${more === 0 ? '' : ` and ${more} other ${more === 1 ? 'place' : 'places'}`}, and a copy cannot cover that.`

/**
 * Paths below a folder at which something is mounted, such as the `node_modules` of a dev container. Empty if the system does not tell.
 */
export async function mountsBelow(folder: string): Promise<readonly string[]> {
  const places = (await mounts()).map(({ at }) => at)
  return [...new Set(places.filter((place) => place.startsWith(`${folder}/`)))].toSorted()
}

interface Mount {
  readonly at: string
  /** The file system's name, such as `ext4`. */
  readonly type: string
}

async function mounts(): Promise<readonly Mount[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  // In the kernel's list of mounts, spaces, tabs, line breaks and backslashes are written as octal numbers.
  const unescaped = (path: string): string =>
    path.replaceAll(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)))
  return text.split('\n').map((line) => ({ at: unescaped(line.split(' ')[4] ?? ''), type: / - (\S+) /u.exec(line)?.[1] ?? '' }))
}

/** The file system of a real path, in parentheses. Empty if the system does not say. */
async function fileSystemWords(path: string): Promise<string> {
  const above = (await mounts()).filter(({ at }) => at !== '' && isBelow(at, path))
  // If several mounts are at the same place, the last one is used.
  const nearest = above.reduce<Mount | null>((best, one) => (best && best.at.length > one.at.length ? best : one), null)
  return nearest?.type ? ` (${nearest.type})` : ''
}

/** Real paths. */
interface Places {
  readonly folder: string
  /** Where copies are kept. */
  readonly layers: string
}

/** The end of an error message if the disk is full. */
const DISK_FULL = '(ENOSPC).'

/** Whether copies cannot be made only because a disk is full. */
export const isForLackOfRoom = (support: CopySupport): boolean => support.kind === 'absent' && support.reason.endsWith(DISK_FULL)

/** Why `true` did not run in a copy although nothing is missing. */
export async function failedTrial(message: string, places: Places): Promise<CopySupport> {
  if (message.startsWith(MOUNTED))
    return absent(
      message,
      'Unmount it (sudo umount and the path), or take that volume out of the container’s configuration; then start Countersign again.',
    )
  if (/overlay|wrong fs type|unknown filesystem/iu.test(message)) return wrongFileSystem(places)
  if (message.startsWith(NO_SHELL)) return absent(message, 'Copies can be made then.')
  if (message.endsWith(DISK_FULL)) return absent(message, 'Make room on that disk.')
  if (message.startsWith(DATA_INSIDE)) return absent(message, 'Choose a data folder outside the project.')
  return absent(`A command could not be started in a copy: ${message}`, wayToNamespaces())
}

/** The kernel says only that one of the two file systems is wrong. */
async function wrongFileSystem({ folder, layers }: Places): Promise<CopySupport> {
  if (await holdsLayers(layers))
    return absent(
      `No copy of ${folder} can be made, because its file system${await fileSystemWords(folder)} does not allow it.`,
      'Move the project to a disk with ext4, xfs or btrfs.',
    )
  return absent(
    `Copies of the folder are kept in ${layers}, whose file system${await fileSystemWords(layers)} cannot hold them.`,
    'Start Countersign with --data and a folder on a disk with ext4, xfs or btrfs (in a container: on a volume).',
  )
}

/** Whether a copy of an empty folder can be kept in this folder. */
async function holdsLayers(layers: string): Promise<boolean> {
  const { makeLayer, removeLayer } = await import('./overlay-layer.ts')
  const layer = await makeLayer(layers, { folder: layers, home: null, scratch: null })
  try {
    const overlay = ['-t', 'overlay', 'overlay', '-o', 'lowerdir=staged,upperdir=up,workdir=work,userxattr', '--', 'staged']
    return await succeeds('unshare', ['-Urm', 'mount', ...overlay], layer.path)
  } finally {
    await removeLayer(layer)
  }
}

const wayToNamespaces = (): string =>
  'Type: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 kernel.unprivileged_userns_clone=1 user.max_user_namespaces=28633'

const mayUnshare = (): Promise<boolean> => succeeds('unshare', ['-Urm', 'true'])

async function succeeds(program: string, args: readonly string[], cwd = '/'): Promise<boolean> {
  return (await runOwnProgram(program, args, { cwd })).failure === null
}

/** The package managers, with the first words of their commands. */
const INSTALLERS = [
  ['apt-get', 'sudo apt-get install'],
  ['dnf', 'sudo dnf install'],
  ['pacman', 'sudo pacman -S'],
  ['zypper', 'sudo zypper install'],
  ['apk', 'sudo apk add'],
] as const

/** The command that installs these packages on this system. Null if no package manager is known. */
export function installCommand(packages: readonly string[]): string | null {
  const [, install] = INSTALLERS.find(([program]) => ownProgram(program, '') !== null) ?? []
  return install === undefined ? null : `${install} ${packages.join(' ')}`
}

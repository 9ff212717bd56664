import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { CopySupport } from '../../agent/ports/command-copies.ts'
import { findProgram } from '../process/find-program.ts'

const absent = (reason: string, wayOut: string): CopySupport => ({ kind: 'absent', reason, wayOut })

/** Each program and the Debian package that it comes from. */
const PROGRAMS = [
  ['bwrap', 'bubblewrap'],
  ['getfattr', 'attr'],
  ['unshare', 'util-linux'],
] as const

/** What the machine lacks by its looks; whether a copy really works is found out by running `true` in one. */
export async function missingPart(path: string | undefined): Promise<CopySupport> {
  if (process.platform !== 'linux')
    return absent('Running commands in a copy is supported only on Linux.', 'Commands must be signed before they run instead.')
  const missing = PROGRAMS.find(([program]) => findProgram(program, path) === null)
  if (missing) return absent(`The program ${missing[0]} is not installed.`, `Type: sudo apt install bubblewrap attr socat`)
  if (!(await mayUnshare(path))) return absent('This system does not let programs make user namespaces.', wayToNamespaces())
  return { kind: 'present' }
}

/** How the message of a copy begins that would contain the data of the app itself. */
export const DATA_INSIDE = 'Countersign keeps its own data inside'

/** How the message of a copy begins that a mount makes impossible. */
const MOUNTED = 'Another file system is mounted inside the folder, at '

export const mountInside = (path: string, more: number): string =>
  `${MOUNTED}${path}${more === 0 ? '' : ` and ${more} other ${more === 1 ? 'place' : 'places'}`}, and no copy can be laid over that.`

/** Paths below a folder at which something is mounted, as for the `node_modules` of a dev container. Empty where the system does not say. */
export async function mountsBelow(folder: string): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  // Spaces, tabs, line breaks and backslashes are octal numbers there.
  const unescaped = (path: string): string =>
    path.replaceAll(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)))
  const places = text.split('\n').map((line) => unescaped(line.split(' ')[4] ?? ''))
  return [...new Set(places.filter((place) => place.startsWith(`${folder}/`)))].toSorted()
}

/** Why `true` did not run in a copy, though nothing is missing. */
export function failedTrial(message: string): CopySupport {
  if (message.startsWith(MOUNTED))
    return absent(
      message,
      'Unmount it (sudo umount and the path), or take that volume out of the container’s configuration; then start Countersign again.',
    )
  if (/overlay|wrong fs type|unknown filesystem/iu.test(message))
    return absent(
      `The system cannot lay a copy over this folder: ${message}`,
      'Keep the data folder on a disk of this machine, such as ext4, xfs or btrfs (not inside a Docker image).',
    )
  if (message.startsWith(DATA_INSIDE)) return absent(message, 'Choose a data folder outside the project.')
  return absent(`A command could not be started in a copy: ${message}`, wayToNamespaces())
}

const wayToNamespaces = (): string =>
  'Type: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 kernel.unprivileged_userns_clone=1 user.max_user_namespaces=28633'

function mayUnshare(path: string | undefined): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  execFile(findProgram('unshare', path) ?? 'unshare', ['-Urm', 'true'], (error) => resolve(error === null))
  return promise
}

import { execFile } from 'node:child_process'
import type { CopySupport } from '../../agent/ports/command-copies.ts'
import { findProgram } from '../process/program.ts'

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

/** Why `true` did not run in a copy, though nothing is missing. */
export function failedTrial(message: string): CopySupport {
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

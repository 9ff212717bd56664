import { type Place, placeName } from '../../shared/places/address.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { guestCode, guestNode, type GuestCode, type GuestPart } from './guest-files.ts'
import { install } from './install.ts'
import { CACHE, type ProbeResult, foundIn, probeLine } from './probe.ts'
import { inCluster, type ConnectionOptions } from './programs.ts'
import { type RemoteResult, runRemote } from './run-remote.ts'

/** A place on which our code is installed. */
export interface ReachedPlace {
  readonly place: Place
  readonly found: ProbeResult
  readonly code: GuestCode
  /** Absolute paths there. */
  readonly node: string
  readonly program: string
}

/** What will be installed on a machine if the user agrees. */
interface InstallPlan {
  readonly place: Place
  readonly found: ProbeResult
  /** Folders below our folder there, with their uncompressed sizes in bytes. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[]
}

/** Decides whether our code may be installed on a machine. */
export type MayInstall = (plan: InstallPlan) => Promise<boolean>

/** Connects to a place, and installs our code there if it is missing and `mayInstall` agrees. */
export async function reachPlace(
  place: Place,
  connection: ConnectionOptions,
  mayInstall: MayInstall,
  signal?: AbortSignal,
): Promise<Result<ReachedPlace, Trouble>> {
  const probed = await probe(place, connection, signal)
  if (!probed.ok) return probed
  const found = probed.value
  const code = await guestCode(found)
  const node = found.node === null ? await guestNode(found) : null
  if (found.node === null && node === null) return failed(noNode(place, found))
  const wanted: readonly GuestPart[] = node === null ? [code] : [code, node]
  const missing = wanted.filter(({ name }) => !found.installed.has(name))
  if (missing.length > 0) {
    const parts = missing.map(({ name, files }) => ({ name, bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0) }))
    if (!(await mayInstall({ place, found, parts }))) return failed(notInstalled(place))
    for (const part of missing) await install(place, part, connection, signal)
  }
  const folder = `${found.home}/${CACHE}`
  return ok({
    place,
    found,
    code,
    node: found.node?.file ?? `${folder}/${node?.name}/node`,
    program: `${folder}/${code.name}/host-process.js`,
  })
}

async function probe(place: Place, connection: ConnectionOptions, signal: AbortSignal | undefined): Promise<Result<ProbeResult, Trouble>> {
  const ran = await runRemote(place, probeLine(), connection, { signal })
  const found = foundIn(ran)
  return found === null ? failed(notReached(place, ran)) : ok(found)
}

/** The exit code of `ssh` if the connection failed. */
const SSH_FAILED = 255

function notReached(place: Place, { exitCode, stderr, stdout }: RemoteResult): Trouble {
  const name = placeName(place)
  const isByShell = place.kind === 'ssh' && exitCode !== SSH_FAILED
  // A shell that refuses to work, such as that of a disabled account, may say so on either output.
  const texts = isByShell ? [stderr, stdout] : [stderr || stdout]
  const said = texts.map(lastLines).join(' ').trim()
  const how = isByShell ? ` Its shell ended with exit code ${exitCode ?? 'unknown'}.` : ''
  return {
    code: 'place_not_reached',
    what: `No connection to ${name}.${how}${said === '' ? '' : ` ${PROGRAMS[place.kind]} says: ${said}`}`,
    kept: 'Nothing was opened or changed.',
    todo: wayOut(place, isByShell ? '' : said),
  }
}

const lastLines = (text: string): string =>
  text
    .trim()
    .split(/\s*\n\s*/u)
    .slice(-4)
    .join(' ')

const PROGRAMS = { ssh: 'ssh', container: 'The container program', pod: 'kubectl' } as const

function wayOut(place: Place, said: string): string {
  if (place.kind === 'pod') return `Check the pod with “kubectl ${inCluster(place).join(' ')} describe pod ${place.name}”.`
  if (place.kind === 'container') return `Start the container, and check its name with “docker ps” or “podman ps”.`
  if (/host key for \S+ has changed/iu.test(said))
    return 'Ask who runs the machine whether its key has changed. If it has, remove the old key as ssh says, then connect and compare the new one. If not, somebody may be intercepting the connection.'
  if (said.includes('Host key verification failed'))
    return `Connect once with “ssh ${place.host}” in a terminal, compare the host’s key, and try again.`
  if (said.includes('Permission denied'))
    return `Load the right key into your agent (ssh-add), or set up the login until “ssh ${place.host}” works. The account there may also be locked.`
  return `Check that “ssh ${place.host}” works in a terminal, then try again.`
}

function noNode(place: Place, { system, machine, glibc }: ProbeResult): Trouble {
  return {
    code: 'place_without_node',
    what: `${placeName(place)} has no Node 22 or newer, and the one of this computer does not run there (${system}, ${machine}, ${glibc === null ? 'no glibc' : `glibc ${glibc}`}).`,
    kept: 'Nothing was installed.',
    todo: 'Install Node 22 or newer there so that a login shell finds it, then try again.',
  }
}

const notInstalled = (place: Place): Trouble => ({
  code: 'place_not_installed',
  what: `Countersign’s code is not installed on ${placeName(place)}.`,
  kept: 'Nothing was installed or changed.',
  todo: 'Open a folder on that machine again, and sign the installation.',
})

import { type Place, placeName } from '../../shared/places/address.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { guestCode, guestNode, type GuestCode, type GuestPart } from './guest-files.ts'
import { install } from './install.ts'
import { CACHE, type FoundThere, foundIn, probeLine } from './probe.ts'
import type { WayThere } from './programs.ts'
import { type RunThere, runThere } from './run-there.ts'

/** A place on which our code is installed. */
export interface ReachedPlace {
  readonly place: Place
  readonly found: FoundThere
  readonly code: GuestCode
  /** Absolute paths there. */
  readonly node: string
  readonly program: string
}

/** What would be put on a machine, before anything is. */
interface InstallPlan {
  readonly place: Place
  readonly found: FoundThere
  /** Folders below our folder there, each with its size in bytes before it is packed. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[]
}

/** Decides whether our code may be put on a machine. */
export type MayInstall = (plan: InstallPlan) => Promise<boolean>

/** Looks around at a place, and puts our code there if it is missing and may be. */
export async function reachPlace(
  place: Place,
  way: WayThere,
  mayInstall: MayInstall,
  signal?: AbortSignal,
): Promise<Result<ReachedPlace, Trouble>> {
  const looked = await look(place, way, signal)
  if (!looked.ok) return looked
  const found = looked.value
  const code = await guestCode(found)
  const ours = found.node === null ? await guestNode(found) : null
  if (found.node === null && ours === null) return failed(noNode(place, found))
  const wanted: readonly GuestPart[] = ours === null ? [code] : [code, ours]
  const missing = wanted.filter(({ name }) => !found.installed.has(name))
  if (missing.length > 0) {
    const parts = missing.map(({ name, files }) => ({ name, bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0) }))
    if (!(await mayInstall({ place, found, parts }))) return failed(notInstalled(place))
    for (const part of missing) await install(place, part, way, signal)
  }
  const folder = `${found.home}/${CACHE}`
  return ok({
    place,
    found,
    code,
    node: found.node?.file ?? `${folder}/${ours?.name}/node`,
    program: `${folder}/${code.name}/host-process.js`,
  })
}

async function look(place: Place, way: WayThere, signal: AbortSignal | undefined): Promise<Result<FoundThere, Trouble>> {
  const ran = await runThere(place, probeLine(), way, { signal })
  const found = foundIn(ran)
  return found === null ? failed(notReached(place, ran)) : ok(found)
}

/** `ssh` ends with this code if the connection failed. */
const SSH_FAILED = 255

function notReached(place: Place, { exitCode, stderr, stdout }: RunThere): Trouble {
  const name = placeName(place)
  const said = (stderr || stdout.trim()).split('\n').slice(-4).join(' ').trim()
  const how = exitCode === SSH_FAILED || place.kind === 'container' ? '' : ` Its shell ended with exit code ${exitCode ?? 'unknown'}.`
  return {
    code: 'place_not_reached',
    what: `No connection to ${name}.${how}${said === '' ? '' : ` ${place.kind === 'ssh' ? 'ssh' : 'The container program'} says: ${said}`}`,
    kept: 'Nothing was opened or changed.',
    todo: wayOut(place, said),
  }
}

function wayOut(place: Place, said: string): string {
  if (place.kind === 'container') return `Start the container, and check its name with “docker ps” or “podman ps”.`
  if (said.includes('Host key verification failed'))
    return `Connect once with “ssh ${place.host}” in a terminal, compare the host’s key, and try again.`
  if (said.includes('Permission denied'))
    return `Load the right key into your agent (ssh-add), or set up the login until “ssh ${place.host}” works.`
  return `Check that “ssh ${place.host}” works in a terminal, then try again.`
}

function noNode(place: Place, { system, machine, glibc }: FoundThere): Trouble {
  return {
    code: 'place_without_node',
    what: `${placeName(place)} has no Node 22 or newer, and the one of this computer does not run there (${system}, ${machine}, ${glibc === null ? 'no glibc' : `glibc ${glibc}`}).`,
    kept: 'Nothing was put there.',
    todo: 'Install Node 22 or newer there so that a login shell finds it, then try again.',
  }
}

const notInstalled = (place: Place): Trouble => ({
  code: 'place_not_installed',
  what: `Countersign’s code for ${placeName(place)} is not installed there.`,
  kept: 'Nothing was put there or changed.',
  todo: 'Open a folder on that machine again, and sign what is put there.',
})

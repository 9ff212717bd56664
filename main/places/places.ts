import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAddress, type Place, placeKey, placeName } from '../../shared/places/address.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { tryAllAtOnce } from '../../shared/lib/try-all.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { type HostProcess, startHostProcess } from '../host-process/near/start-host-process.ts'
import type { FarPlace } from '../workspace/place.ts'
import { createFarHost, type FarHost } from './far-host.ts'
import { CACHE } from './probe.ts'
import { endShared, programAt, quoted, startProgram, type WayThere } from './programs.ts'
import { type MayInstall, type ReachedPlace, reachPlace } from './reach.ts'

export interface PlacesParts {
  /** Applied to all output that comes from other machines. They get no secrets to look for. */
  readonly redactor: Redactor
  /** Whether our code may be put on a machine if nobody is asked. */
  readonly mayInstall: MayInstall
  /** Another ssh configuration than the user's. */
  readonly sshConfig?: string | null
}

/** The machines and containers that are reached from this computer. */
export interface Places {
  /** Connects, unless that has been done. */
  reach(place: Place): Promise<Result<FarPlace, Trouble>>
  /** Ends all connections, with what runs there. */
  close(): Promise<void>
}

export function createPlaces({ redactor, mayInstall, sshConfig = null }: PlacesParts): Places {
  const reached = new Map<string, Promise<Result<ReachedPlace, Trouble>>>()
  const hosts = new Map<string, FarHost>()
  let sockets: Promise<string | null> | null = null
  const way = async (): Promise<WayThere> => {
    sockets ??= socketFolder()
    return { sockets: await sockets, sshConfig, asking: null }
  }
  const connect = (place: Place): Promise<Result<ReachedPlace, Trouble>> => {
    const key = placeKey(place)
    const known = reached.get(key)
    if (known) return known
    const begun = way()
      .then((used) => reachPlace(place, used, mayInstall))
      .catch((error: unknown) => failed(troubleOf(place, error)))
    reached.set(key, begun)
    const forget = (): void => {
      if (reached.get(key) === begun) reached.delete(key)
    }
    void begun.then((found) => found.ok || forget())
    return begun
  }
  const hostOf = ({ place, found, ...there }: ReachedPlace, folder: string): FarHost => {
    const key = `${placeKey(place)}\0${folder}`
    const known = hosts.get(key)
    if (known) return known
    const start = async (): Promise<HostProcess> => startAt({ place, found, ...there }, folder, await way(), redactor)
    const host = createFarHost({ folder, platform: found.system.toLowerCase(), osVersion: found.release, start })
    hosts.set(key, host)
    return host
  }
  return {
    async reach(place) {
      const found = await connect(place)
      if (!found.ok) return found
      const { home } = found.value.found
      const there = found.value
      return ok({ place, home, ownFolders: [`${home}/${CACHE}`], createEnvironment: (folder) => hostOf(there, folder).environment })
    },
    async close() {
      const used = await way()
      await tryAllAtOnce([...hosts.values()].map((host) => host.close()))
      hosts.clear()
      await Promise.all([...reached.keys()].map((key) => shut(key, used)))
      if (used.sockets !== null) await rm(used.sockets, { recursive: true, force: true })
      sockets = null
    },
  }
}

async function shut(key: string, way: WayThere): Promise<void> {
  const { place } = parseAddress(key)
  if (place !== null) await endShared(place, way)
}

/** Paths of sockets may have about 100 characters, so the folder is not in the user's temporary folder, whose path is long on macOS. */
const socketFolder = async (): Promise<string | null> => (process.platform === 'win32' ? null : mkdtemp('/tmp/cs-'))

async function startAt(
  { place, found, code, node, program }: ReachedPlace,
  folder: string,
  way: WayThere,
  redactor: Redactor,
): Promise<HostProcess> {
  // With SSH_CLIENT, Debian's bash reads `.bashrc` before every command, which may print and takes time.
  const line = `cd / && unset NODE_OPTIONS SSH_CLIENT SSH2_CLIENT && exec ${quoted(node)} ${quoted(program)}`
  const argv = await programAt(place, line, way)
  const data = join(found.home, CACHE, 'notes', createHash('sha256').update(folder).digest('hex').slice(0, 16))
  return startHostProcess({
    start: () => startProgram(argv, way),
    build: code.build,
    folder,
    data,
    redactor,
    ...(found.path !== '' && { variables: { PATH: found.path } }),
  })
}

function troubleOf(place: Place, error: unknown): Trouble {
  if (!(error instanceof EnvironmentFailure)) throw error
  return {
    code: 'place_not_reached',
    what: `${placeName(place)} could not be prepared. ${error.message}`,
    kept: 'No folder was opened.',
    todo: 'Mend the cause, then try again.',
  }
}

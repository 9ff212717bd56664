import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAddress, type Place, placeKey, placeName } from '../../shared/places/address.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { tryAllAtOnce } from '../../shared/lib/try-all.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { GRACE_MS } from '../host-process/wire/line.ts'
import type { HostChild } from '../host-process/near/host-child.ts'
import { createLastingChild, type LastingChild, type LineState } from './lasting-child.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { openSocketFolder } from '../environment/temporary-folder.ts'
import { type HostProcess, startHostProcess } from '../host-process/near/start-host-process.ts'
import type { Machine } from '../../shared/places/places-api.ts'
import type { FolderComparison } from '../agent/ports/folder-comparison.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { type Answer, openAsking } from './asking.ts'
import { knownMachines } from './machines.ts'
import type { FarPlace } from '../workspace/place.ts'
import { createFarHost, type FarHost } from './far-host.ts'
import { CACHE, type FoundThere } from './probe.ts'
import { endShared, programAt, quoted, startProgram, type WayThere } from './programs.ts'
import { notTooOften } from './not-too-often.ts'
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
  /** Connects, unless that has been done. `asker`: whoever answers what must be asked. If left out, nobody is asked. */
  reach(place: Place, asker?: Asker): Promise<Result<ReachedFarPlace, Trouble>>
  /** The place, if a connection to it stands or is being made. */
  connected(place: Place): Promise<FarPlace | null>
  /** The machines that the user may want to open. */
  known(): Promise<readonly Machine[]>
  /** The connections that are lost at the moment, one for each place. */
  lost(): readonly LostPlace[]
  readonly onLost: Emitter<void>['event']
  /** Tries to reconnect at once. */
  retry(place: Place): void
  /** Gives up what is lost at a place: what waits there fails, and what runs there ends by itself. */
  giveUp(place: Place): void
  /** Ends all connections, with what runs there. */
  close(): Promise<void>
}

/** A place that cannot be reached any more, although something was open there. Times are in ms since 1970. */
export interface LostPlace {
  readonly place: Place
  readonly since: number
  readonly why: string
  /** When the next try begins. Null while one runs. */
  readonly nextAt: number | null
}

/** Answers what must be asked while a machine is reached. */
export interface Asker {
  readonly answer: Answer
  readonly mayInstall: MayInstall
  /** Aborting gives up. */
  readonly signal: AbortSignal
}

interface ReachedFarPlace extends FarPlace {
  readonly found: FoundThere
}

export function createPlaces({ redactor, mayInstall, sshConfig = null }: PlacesParts): Places {
  const reached = new Map<string, Promise<Result<ReachedPlace, Trouble>>>()
  const hosts = new Map<string, FarHost>()
  const lost = new Map<LastingChild, LostPlace>()
  const changed = new Emitter<void>()
  const endSharedOnce = notTooOften(endShared)
  const lostAt = (place: Place): readonly LastingChild[] =>
    [...lost].flatMap(([child, one]) => (placeKey(one.place) === placeKey(place) ? [child] : []))
  let sockets: Promise<string | null> | null = null
  const way = async (): Promise<WayThere> => {
    sockets ??= process.platform === 'win32' ? Promise.resolve(null) : openSocketFolder()
    return { sockets: await sockets, sshConfig, asking: null }
  }
  const connect = async (place: Place, asker: Asker | undefined): Promise<Result<ReachedPlace, Trouble>> => {
    const key = placeKey(place)
    // A connection that nobody could be asked for may have failed only for that reason.
    const known = await reached.get(key)
    if (known?.ok) return known
    const begun = connectAsking(place, await way(), asker, mayInstall).catch((error: unknown) => failed(troubleOf(place, error)))
    reached.set(key, begun)
    const forget = (): void => {
      if (reached.get(key) === begun) reached.delete(key)
    }
    const found = await begun
    if (!found.ok) forget()
    return found
  }
  const hostOf = ({ place, found, ...there }: ReachedPlace, folder: string): FarHost => {
    const key = `${placeKey(place)}\0${folder}`
    const known = hosts.get(key)
    if (known) return known
    const start = async (): Promise<HostProcess> => {
      const used = await way()
      const beforeRetry = (): Promise<void> => endSharedOnce(place, used)
      const child = lastingChild({ place, found, ...there }, used, beforeRetry, (state) => {
        if (state.kind === 'lost') lost.set(child, { place, ...state })
        else lost.delete(child)
        // Whoever opens the place again is asked what ssh asks.
        if (state.kind === 'lost') reached.delete(placeKey(place))
        changed.fire()
      })
      child.once('close', () => {
        lost.delete(child)
        changed.fire()
      })
      return startAt({ place, found, ...there }, folder, child, redactor)
    }
    const host = createFarHost({ folder, platform: found.system.toLowerCase(), osVersion: found.release, start })
    hosts.set(key, host)
    return host
  }
  const farPlace = (there: ReachedPlace): ReachedFarPlace => {
    const { home } = there.found
    const createEnvironment = (folder: string): ExecutionEnvironment => hostOf(there, folder).environment
    const createComparison = (folder: string): FolderComparison => hostOf(there, folder).comparison
    return { place: there.place, home, createComparison, found: there.found, ownFolders: [`${home}/${CACHE}`], createEnvironment }
  }
  return {
    known: () => knownMachines(sshConfig),
    async reach(place, asker) {
      const found = await connect(place, asker)
      return found.ok ? ok(farPlace(found.value)) : found
    },
    lost: () => [...new Map([...lost.values()].map((one) => [placeKey(one.place), one])).values()],
    onLost: changed.event,
    retry: (place) => lostAt(place).forEach((child) => child.retry()),
    giveUp: (place) => lostAt(place).forEach((child) => child.kill('SIGKILL')),
    async connected(place) {
      const found = await reached.get(placeKey(place))
      return found?.ok ? farPlace(found.value) : null
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

/** With somebody to ask, `ssh` asks through the desk until the connection stands. Later connections share it, so they need not ask. */
async function connectAsking(
  place: Place,
  way: WayThere,
  asker: Asker | undefined,
  mayInstall: MayInstall,
): Promise<Result<ReachedPlace, Trouble>> {
  if (!asker) return reachPlace(place, way, mayInstall)
  const asking = await openAsking(asker.answer)
  try {
    const signal = asking ? AbortSignal.any([asker.signal, asking.refused]) : asker.signal
    return await reachPlace(place, { ...way, asking: asking?.variables ?? null }, asker.mayInstall, signal)
  } catch (error) {
    if (asker.signal.aborted || asking?.refused.aborted) return failed(GIVEN_UP)
    throw error
  } finally {
    await asking?.close()
  }
}

const GIVEN_UP: Trouble = {
  code: 'place_given_up',
  what: 'The connection was given up, because a question was not answered.',
  kept: 'Nothing was opened or changed.',
  todo: 'Connect again when you can answer.',
}

async function shut(key: string, way: WayThere): Promise<void> {
  const { place } = parseAddress(key)
  if (place !== null) await endShared(place, way)
}

/** A host process at the place that goes on for a while when the connection is lost. */
function lastingChild(
  { place, found, node, program }: ReachedPlace,
  way: WayThere,
  beforeRetry: () => Promise<void>,
  onState: (state: LineState) => void,
): LastingChild {
  const socket = `${found.home}/${CACHE}/run/${randomBytes(8).toString('hex')}`
  return createLastingChild({
    async connect(isNew) {
      const words = [node, program, isNew ? 'start' : 'attach', socket].map(quoted).join(' ')
      // With SSH_CLIENT, Debian's bash reads `.bashrc` before every command, which may print and takes time.
      return startProgram(await programAt(place, `cd / && unset NODE_OPTIONS SSH_CLIENT SSH2_CLIENT && exec ${words}`, way), way)
    },
    beforeRetry,
    graceMs: GRACE_MS,
    onState,
  })
}

/** Longer than a connection may be lost, which its line notices itself. */
const SILENCE_MS = GRACE_MS + 60_000

async function startAt({ found, code }: ReachedPlace, folder: string, child: HostChild, redactor: Redactor): Promise<HostProcess> {
  const data = join(found.home, CACHE, 'notes', createHash('sha256').update(folder).digest('hex').slice(0, 16))
  return startHostProcess({
    start: () => child,
    build: code.build,
    folder,
    data,
    redactor,
    silenceMs: SILENCE_MS,
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

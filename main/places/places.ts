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
import { CACHE, type ProbeResult } from './probe.ts'
import { endShared, programAt, quoted, startProgram, type ConnectionOptions } from './programs.ts'
import { throttleEndShared } from './throttle-end-shared.ts'
import { type MayInstall, type ReachedPlace, reachPlace } from './reach.ts'

export interface PlacesParts {
  /** Applied to all output from other machines. Secrets are replaced on this computer and never sent to a machine. */
  readonly redactor: Redactor
  /** Whether our code may be installed on a machine if `reach` is called without an `Asker`. */
  readonly mayInstall: MayInstall
  /** An ssh configuration to use instead of the user's. */
  readonly sshConfig?: string | null
}

/** Connections to other machines and containers. */
export interface Places {
  /** Connects to a place, or returns the existing connection. `asker`: answers questions from ssh. If left out, questions fail. */
  reach(place: Place, asker?: Asker): Promise<Result<ReachedFarPlace, Trouble>>
  /** The place if it is connected. Waits for a connection that is being made. Null if there is none. */
  connected(place: Place): Promise<FarPlace | null>
  /** The machines that the desk offers. */
  known(): Promise<readonly Machine[]>
  /** The places whose connections are lost now. */
  lost(): readonly LostPlace[]
  readonly onLost: Emitter<void>['event']
  /** Tries to reconnect at once. */
  retry(place: Place): void
  /** Stops reconnecting to a place: waiting calls fail, and the programs there end by themselves. */
  giveUp(place: Place): void
  /** Ends all connections and the programs that were started over them. */
  close(): Promise<void>
}

/** A place whose connection is lost while a folder is open there. Times are in ms since 1970. */
export interface LostPlace {
  readonly place: Place
  readonly since: number
  readonly why: string
  /** When the next attempt to reconnect begins. Null during an attempt. */
  readonly nextAt: number | null
}

/** Answers questions that come up while connecting to a place. */
export interface Asker {
  readonly answer: Answer
  readonly mayInstall: MayInstall
  /** Aborting cancels the connection. */
  readonly signal: AbortSignal
}

interface ReachedFarPlace extends FarPlace {
  readonly found: ProbeResult
}

export function createPlaces({ redactor, mayInstall, sshConfig = null }: PlacesParts): Places {
  const reached = new Map<string, Promise<Result<ReachedPlace, Trouble>>>()
  const hosts = new Map<string, FarHost>()
  const lost = new Map<LastingChild, LostPlace>()
  const changed = new Emitter<void>()
  const endSharedOnce = throttleEndShared(endShared)
  const lostAt = (place: Place): readonly LastingChild[] =>
    [...lost].flatMap(([child, one]) => (placeKey(one.place) === placeKey(place) ? [child] : []))
  let sockets: Promise<string | null> | null = null
  const connectionOptions = async (): Promise<ConnectionOptions> => {
    sockets ??= process.platform === 'win32' ? Promise.resolve(null) : openSocketFolder()
    return { sockets: await sockets, sshConfig, asking: null }
  }
  const connect = async (place: Place, asker: Asker | undefined): Promise<Result<ReachedPlace, Trouble>> => {
    const key = placeKey(place)
    const earlier = reached.get(key)
    if (earlier !== undefined) {
      const known = await earlier
      // A failed attempt is repeated: it may have failed only because nobody answered its questions.
      if (known.ok) return known
    }
    // Nothing is awaited before the attempt is registered, so two calls at the same time share it.
    const begun = connectionOptions()
      .then((connection) => connectAsking(place, connection, asker, mayInstall))
      .catch((error: unknown) => failed(troubleOf(place, error)))
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
      const connection = await connectionOptions()
      const beforeRetry = (): Promise<void> => endSharedOnce(place, connection)
      const child = lastingChild({ place, found, ...there }, connection, beforeRetry, (state) => {
        if (state.kind === 'lost') lost.set(child, { place, ...state })
        else lost.delete(child)
        // When the user opens the place again, ssh may ask its questions again.
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
      const connection = await connectionOptions()
      await tryAllAtOnce([...hosts.values()].map((host) => host.close()))
      hosts.clear()
      await Promise.all([...reached.keys()].map((key) => shut(key, connection)))
      if (connection.sockets !== null) await rm(connection.sockets, { recursive: true, force: true })
      sockets = null
    },
  }
}

/** Connects. If there is an asker, it answers the questions of `ssh`. Later connections share this one, so they have no questions. */
async function connectAsking(
  place: Place,
  connection: ConnectionOptions,
  asker: Asker | undefined,
  mayInstall: MayInstall,
): Promise<Result<ReachedPlace, Trouble>> {
  if (!asker) return reachPlace(place, connection, mayInstall)
  const asking = await openAsking(asker.answer)
  try {
    const signal = asking ? AbortSignal.any([asker.signal, asking.refused]) : asker.signal
    return await reachPlace(place, { ...connection, asking: asking?.variables ?? null }, asker.mayInstall, signal)
  } catch (error) {
    if (asker.signal.aborted || asking?.refused.aborted) return failed(NOT_ANSWERED)
    throw error
  } finally {
    await asking?.close()
  }
}

const NOT_ANSWERED: Trouble = {
  code: 'place_given_up',
  what: 'The connection was canceled because a question was not answered.',
  kept: 'Nothing was opened or changed.',
  todo: 'Connect again when you can answer.',
}

async function shut(key: string, connection: ConnectionOptions): Promise<void> {
  const { place } = parseAddress(key)
  if (place !== null) await endShared(place, connection)
}

/** Starts a host process at the place. It keeps running for a while when the connection is lost. */
function lastingChild(
  { place, found, node, program }: ReachedPlace,
  connection: ConnectionOptions,
  beforeRetry: () => Promise<void>,
  onState: (state: LineState) => void,
): LastingChild {
  const socket = `${found.home}/${CACHE}/run/${randomBytes(8).toString('hex')}`
  return createLastingChild({
    async connect(isNew) {
      const words = [node, program, isNew ? 'start' : 'attach', socket].map(quoted).join(' ')
      // If SSH_CLIENT is set, Debian's bash reads `.bashrc` before every command, which takes time and may print.
      return startProgram(
        await programAt(place, `cd / && unset NODE_OPTIONS SSH_CLIENT SSH2_CLIENT && exec ${words}`, connection),
        connection,
      )
    },
    beforeRetry,
    graceMs: GRACE_MS,
    onState,
  })
}

/** Longer than `GRACE_MS`, because the line itself notices a lost connection. */
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
    todo: 'Fix the cause, then try again.',
  }
}

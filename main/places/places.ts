import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { addressOf, parseAddress, type Place, placeKey } from '../../shared/places/address.ts'
import { ok, type Result } from '../../shared/lib/result.ts'
import { tryAllAtOnce } from '../../shared/lib/try-all.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { HostChild } from '../host-process/near/host-child.ts'
import { createLastingChild, type LastingChild, type LastingParts, type LineState, type Patience, PATIENCE } from './lasting-child.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { openSocketFolder } from '../environment/temporary-folder.ts'
import { existing } from '../host-process/near/deferred/deferred-site.ts'
import { type HostProcess, type HostStart, startHostProcess } from '../host-process/near/start-host-process.ts'
import type { Machine } from '../../shared/places/places-api.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Site } from '../host-process/site.ts'
import type { HostFacts } from '../host-process/wire/messages.ts'
import { type Asker, createConnectedPlaces } from './connected-places.ts'
import { knownMachines } from './machines.ts'
import type { FarPlace } from '../workspace/place.ts'
import { createMadePlaces, type MadePlaces } from './made/made-places.ts'
import { endGuest, type Guest, guestAt } from './guests.ts'
import { createFarHost, type FarHost } from './far-host.ts'
import { CACHE, type ProbeResult } from './probe.ts'
import { type ConnectBy, endShared, quoted, startAt, type ConnectionOptions } from './programs.ts'
import { throttleEndShared } from './throttle-end-shared.ts'
import type { MayInstall, ReachedPlace } from './reach.ts'

export interface PlacesParts {
  /** Applied to all output from other machines. Secrets are replaced on this computer and never sent to a machine. */
  readonly redactor: Redactor
  /** Whether our code may be installed on a machine if `reach` is called without an `Asker`. */
  readonly mayInstall: MayInstall
  /** An ssh configuration to use instead of the user's. */
  readonly sshConfig?: string | null
  readonly connectBy?: ConnectBy | undefined
  /** Default: ten minutes, with an attempt at least every 30 s. */
  readonly patience?: Patience
  /** The folder for the records of the containers and pods that are made for sessions. If absent, none are made. */
  readonly madeIn?: string
  /** What copies and layers on other machines need from this computer. If left out, there are no copies and layers. */
  readonly work?: WorkThere | undefined
}

/** What copies and layers on other machines need from this computer. Folders are given by their address. */
export interface WorkThere {
  /** Where the bytes of changed files are stored. */
  readonly blobs: NonNullable<HostStart['blobs']>
  /** The patterns of the files that programs in a session's layer may not read now. */
  denied(folder: string, sessionId: SessionId): readonly string[]
  /** Called when a folder is opened in which a killed host process left changes unfinished. */
  onRecovered(folder: string, recovered: HostFacts['recovered']): void
  /** The names of the variables that commands get although they look like secrets. */
  allowVariables(folder: string): readonly string[]
}

/** Connections to other machines and containers. */
export interface Places {
  /** Finds our processes and files on a machine. Null if the machine cannot be reached without questions to the user. */
  guestAt(place: Place): Promise<Guest | null>
  /** Ends our processes on a machine. `uninstalls`: also removes our installed files. Rejects with a coded failure. */
  endGuest(place: Place, uninstalls: boolean): Promise<void>
  /** The places that are made for sessions. */
  made(): Promise<MadePlaces>
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

interface ReachedFarPlace extends FarPlace {
  readonly found: ProbeResult
}

export function createPlaces(parts: PlacesParts): Places {
  const { redactor, mayInstall, sshConfig = null, connectBy, patience = PATIENCE, madeIn, work } = parts
  const made = createMadePlaces({ folder: madeIn ?? null, now: Date.now })
  const hosts = new Map<string, FarHost>()
  const lost = new Map<LastingChild, LostPlace>()
  const changed = new Emitter<void>()
  const endSharedOnce = throttleEndShared(endShared)
  const lostAt = (place: Place): readonly LastingChild[] =>
    [...lost].flatMap(([child, one]) => (placeKey(one.place) === placeKey(place) ? [child] : []))
  let sockets: Promise<string | null> | null = null
  const connectionOptions = async (): Promise<ConnectionOptions> => {
    sockets ??= process.platform === 'win32' || connectBy ? Promise.resolve(null) : openSocketFolder()
    return { sockets: await sockets, sshConfig, asking: null, connectBy }
  }
  const connected = createConnectedPlaces({ made, mayInstall, connectionOptions })
  const hostOf = (first: ReachedPlace, folder: string): FarHost => {
    const { place, found } = first
    const key = `${placeKey(place)}\0${folder}`
    const known = hosts.get(key)
    if (known) return known
    const start = async (): Promise<HostProcess> => {
      const there = await connected.present(first)
      const connection = await connectionOptions()
      const beforeRetry = (): Promise<void> => endSharedOnce(place, connection)
      const checkPresence = (): Promise<void> => made.check(place)
      const child = lastingChild(there, connection, { beforeRetry, checkPresence, patience }, (state) => {
        if (state.kind === 'lost') lost.set(child, { place, ...state })
        else lost.delete(child)
        // When the user opens the place again, ssh may ask its questions again.
        if (state.kind === 'lost') connected.forget(place)
        changed.fire()
      })
      child.once('close', () => {
        lost.delete(child)
        changed.fire()
      })
      return serveFolder(there, folder, child, { redactor, work, patience })
    }
    const facts = { folder, platform: found.system.toLowerCase(), osVersion: found.release }
    const host = createFarHost({ ...facts, hasCopies: work !== undefined, start })
    hosts.set(key, host)
    return host
  }
  const farPlace = (there: ReachedPlace): ReachedFarPlace => {
    const { home } = there.found
    const site = (folder: string): Site => hostOf(there, folder).site
    return {
      place: there.place,
      found: there.found,
      home,
      ownFolders: [`${home}/${CACHE}`],
      createEnvironment: (folder) => site(folder).environment,
      createComparison: (folder) => site(folder).comparison,
      ...(work && {
        createCopies: (folder) => existing(site(folder).copies),
        own: { layersOf: (folder) => existing(site(folder).layers), close: () => Promise.resolve() },
      }),
    }
  }
  return {
    guestAt: async (place) => guestAt(place, await connectionOptions()),
    endGuest: async (place, uninstalls) => endGuest(place, await connectionOptions(), uninstalls),
    made: () => Promise.resolve(made),
    known: () => knownMachines(sshConfig),
    async reach(place, asker) {
      const found = await connected.connect(place, asker)
      return found.ok ? ok(farPlace(found.value)) : found
    },
    lost: () => [...new Map([...lost.values()].map((one) => [placeKey(one.place), one])).values()],
    onLost: changed.event,
    retry: (place) => lostAt(place).forEach((child) => child.retry()),
    giveUp: (place) => lostAt(place).forEach((child) => child.kill('SIGKILL')),
    async connected(place) {
      const found = await connected.get(place)
      return found?.ok ? farPlace(found.value) : null
    },
    async close() {
      made.close()
      const connection = await connectionOptions()
      await tryAllAtOnce([...hosts.values()].map((host) => host.close()))
      hosts.clear()
      await Promise.all(connected.keys().map((key) => shut(key, connection)))
      if (connection.sockets !== null) await rm(connection.sockets, { recursive: true, force: true })
      sockets = null
    },
  }
}

async function shut(key: string, connection: ConnectionOptions): Promise<void> {
  const { place } = parseAddress(key)
  if (place !== null) await endShared(place, connection)
}

/** Starts a host process at the place. It keeps running for a while when the connection is lost. */
function lastingChild(
  { place, found, node, program }: ReachedPlace,
  connection: ConnectionOptions,
  { beforeRetry, checkPresence, patience }: Pick<LastingParts, 'beforeRetry' | 'patience'> & { checkPresence(): Promise<void> },
  onState: (state: LineState) => void,
): LastingChild {
  const socket = `${found.home}/${CACHE}/run/${randomBytes(8).toString('hex')}`
  return createLastingChild({
    async connect(isNew) {
      if (!isNew) await checkPresence()
      const mode = isNew ? ['start', socket, String(patience.graceMs)] : ['attach', socket]
      const words = [node, program, ...mode].map(quoted).join(' ')
      // If SSH_CLIENT is set, Debian's bash reads `.bashrc` before every command, which takes time and may print.
      return startAt(place, `cd / && unset NODE_OPTIONS SSH_CLIENT SSH2_CLIENT && exec ${words}`, connection)
    },
    beforeRetry,
    patience,
    onState,
  })
}

/** Added to the grace time, so that the line notices a loss before this limit ends the far side. */
const MORE_SILENCE_MS = 60_000

async function serveFolder(
  { place, found, code }: ReachedPlace,
  folder: string,
  child: HostChild,
  { redactor, work, patience }: Pick<PlacesParts, 'redactor' | 'work'> & { readonly patience: Patience },
): Promise<HostProcess> {
  const own = `${found.home}/${CACHE}`
  const data = `${own}/folders/${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  const address = addressOf(place, folder)
  const host = await startHostProcess({
    ...(work && {
      blobs: work.blobs,
      denied: (sessionId) => work.denied(address, sessionId),
      options: { allowVariables: [...work.allowVariables(address)] },
    }),
    hidden: [own],
    isFar: true,
    start: () => child,
    build: code.build,
    folder,
    data,
    redactor,
    silenceMs: patience.graceMs + MORE_SILENCE_MS,
    ...(found.path !== '' && { variables: { PATH: found.path } }),
  })
  if (host.facts.recovered.length > 0) work?.onRecovered(address, host.facts.recovered)
  return host
}

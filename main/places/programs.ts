import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import type { Place, PodPlace, SshPlace } from '../../shared/places/address.ts'
import { assertNever } from '../../shared/lib/assert-never.ts'
import { cleanVariables } from '../environment/clean-variables.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { ownProgram } from '../environment/own-programs/own-programs.ts'
import type { HostChild } from '../host-process/near/host-child.ts'
import { lastWords, runTool } from './made/run-tool.ts'

/** How to connect to other places. */
export interface ConnectionOptions {
  /** A private folder for the sockets of shared connections. Null if connections are not shared (Windows). */
  readonly sockets: string | null
  /** An ssh configuration to use instead of the user's. Null for the user's. */
  readonly sshConfig: string | null
  /** Variables that route the questions of `ssh` to the user. Null if there is no user: `ssh` then fails instead of asking. */
  readonly asking: Readonly<Record<string, string>> | null
  /** Connects instead of `ssh` and the programs for containers and pods. Absent: those programs connect. */
  readonly connectBy?: ConnectBy | undefined
}

/** Starts something that runs a shell line at a place, with pipes to the line's input and outputs. */
export type ConnectBy = (place: Place, line: string) => HostChild | Promise<HostChild>

/** For containers and pods, which are not reached by ssh. */
export const NO_SSH: ConnectionOptions = { sockets: null, sshConfig: null, asking: null }

/** Options of every connection: detect a dead connection, and ignore the port forwards in the user's configuration. */
const ALWAYS = ['-T', '-o', 'ServerAliveInterval=15', '-o', 'ServerAliveCountMax=3', '-o', 'ClearAllForwardings=yes'] as const
/** Seconds for which a shared connection stays open after its last use. */
const PERSIST_S = 120

/** The command on this computer that runs a shell line at a place. Rejects with `ENOENT` if its program is not installed here. */
async function programAt(place: Place, line: string, connection: ConnectionOptions): Promise<readonly [string, ...string[]]> {
  switch (place.kind) {
    case 'ssh':
      return [mustHave('ssh'), ...(await sshOptions(place, connection)), '--', place.host, `exec sh -c ${quoted(line)}`]
    case 'container':
      return [await containerProgram(place.name), 'exec', '-i', ...(await userOf(place.name)), place.name, 'sh', '-c', line]
    case 'pod':
      return [mustHave('kubectl'), ...inCluster(place), 'exec', '-i', await podOf(place), '--', 'sh', '-c', line]
    default:
      return assertNever(place)
  }
}

/** Starts the program on this computer that runs a shell line at a place. Rejects like `programAt`. */
export async function startAt(place: Place, line: string, connection: ConnectionOptions): Promise<HostChild> {
  return connection.connectBy?.(place, line) ?? startProgram(await programAt(place, line, connection), connection)
}

/**
 * The name of the pod of a place. Rejects with `EGONE` if it is chosen by a claim that is gone or has none, and with `ECONNECT` if the
 * cluster does not answer.
 */
export async function podOf(place: PodPlace): Promise<string> {
  if (!place.isClaimed) return place.name
  const get = async (kind: string, name: string, path: string): Promise<string> => {
    const ran = await runTool('kubectl', [...inCluster(place), 'get', kind, name, '--output', `jsonpath=${path}`])
    if (ran.failure === null) return ran.stdout.toString('utf8')
    if (/\(NotFound\)/u.test(ran.stderr)) return ''
    throw new EnvironmentFailure('ECONNECT', `The cluster was not asked for the pod of ${place.name} (ECONNECT). ${lastWords(ran)}`.trim())
  }
  const sandbox = await get(CLAIMS, place.name, '{.status.sandbox.name}')
  if (sandbox === '') throw new EnvironmentFailure('EGONE', `The claim ${place.name} has no pod (EGONE).`)
  // Older versions name the pod in an annotation.
  return (await get('sandboxes.agents.x-k8s.io', sandbox, String.raw`{.metadata.annotations.agents\.x-k8s\.io/pod-name}`)) || sandbox
}

/** The claims of agent-sandbox, as `kubectl` names them. */
export const CLAIMS = 'sandboxclaims.extensions.agents.x-k8s.io'

/** The options of `kubectl` for the cluster and the namespace of a pod. */
export const inCluster = ({ context, namespace }: Pick<PodPlace, 'context' | 'namespace'>): readonly string[] => [
  '--context',
  context,
  '--namespace',
  namespace,
]

async function sshOptions({ host, port }: SshPlace, { sockets, sshConfig, asking }: ConnectionOptions): Promise<readonly string[]> {
  const where = [...(sshConfig === null ? [] : ['-F', sshConfig]), ...(port === null ? [] : ['-p', String(port)])]
  const isShared = sockets !== null && !(await isSharedByUser(host, where))
  return [
    ...where,
    ...ALWAYS,
    ...(isShared ? ['-o', 'ControlMaster=auto', '-o', `ControlPath=${sockets}/%C`, '-o', `ControlPersist=${PERSIST_S}`] : []),
    // Nobody is watching, so a machine that does not answer fails quickly.
    ...(asking === null ? ['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15'] : []),
  ]
}

const sharing = new Map<string, Promise<boolean>>()

/** Whether the user's own configuration already shares connections to this host (`ControlPath`). */
function isSharedByUser(host: string, where: readonly string[]): Promise<boolean> {
  const key = [...where, host].join('\0')
  const known =
    sharing.get(key) ?? outputOf(mustHave('ssh'), ['-G', ...where, '--', host]).then((text) => /^controlpath (?!none$)/mu.test(text))
  sharing.set(key, known)
  return known
}

/** The output of a program of this computer. Empty if it cannot be started. */
export function outputOf(file: string, args: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'], cwd: homedir() })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  child.on('error', () => resolve(''))
  child.on('close', () => resolve(text))
  return promise
}

/** Ends the shared connection to a host, so that the next connection does not use a dead one. */
export async function endShared(place: Place, connection: ConnectionOptions): Promise<void> {
  if (place.kind !== 'ssh' || connection.sockets === null) return
  await outputOf(mustHave('ssh'), [...(await sshOptions(place, connection)), '-O', 'exit', '--', place.host])
}

/** The programs of this computer that run containers. */
export const containerPrograms = (): readonly string[] =>
  ['docker', 'podman'].map((name) => ownProgram(name)).filter((file) => file !== null)

/**
 * The program that runs the container. If neither does, the last one, which reports the error. `docker` may be installed without a daemon.
 */
async function containerProgram(name: string): Promise<string> {
  const programs = containerPrograms()
  for (const program of programs.length > 1 ? programs : []) {
    if ((await outputOf(program, ['container', 'inspect', '--format', '{{.State.Running}}', name])).trim() === 'true') return program
  }
  const last = programs.at(-1)
  if (last === undefined) throw missing('docker” or “podman')
  return last
}

const users = new Map<string, Promise<readonly string[]>>()

/**
 * The option for the user of a dev container (`remoteUser`), which is in a label of the container. Other containers use their default user.
 */
function userOf(name: string): Promise<readonly string[]> {
  const known = users.get(name) ?? containerProgram(name).then((program) => readUser(program, name))
  users.set(name, known)
  // A dev container with the same name may be made later.
  void known.then((found) => found.length === 0 && users.delete(name)).catch(() => users.delete(name))
  return known
}

async function readUser(program: string, name: string): Promise<readonly string[]> {
  const text = await outputOf(program, ['container', 'inspect', '--format', '{{index .Config.Labels "devcontainer.metadata"}}', name])
  const users = [...text.matchAll(/"remoteUser"\s*:\s*"([\w.-]+)"/gu)].map(([, user = '']) => user)
  const user = users.at(-1)
  return user === undefined ? [] : ['-u', user]
}

/** The path of a program on this computer. Throws `ENOENT` if it is not installed. */
export function mustHave(name: string): string {
  const found = ownProgram(name)
  if (found === null) throw missing(name)
  return found
}

const missing = (name: string): EnvironmentFailure =>
  new EnvironmentFailure('ENOENT', `No program “${name}” was found on this computer (ENOENT). Install it.`)

/** Quotes a word for any POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * Starts the program in a process group of its own, so that Ctrl+C in the app's terminal does not reach it. It has no terminal, so it
 * cannot ask questions there.
 */
export function startProgram([file, ...args]: readonly [string, ...string[]], { asking }: ConnectionOptions): HostChild {
  const isWindows = process.platform === 'win32'
  const env = { ...cleanVariables(process.env), ...asking }
  return spawn(file, args, { stdio: 'pipe', cwd: homedir(), detached: !isWindows, windowsHide: true, env })
}

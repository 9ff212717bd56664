import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import type { Place, SshPlace } from '../../shared/places/address.ts'
import { assertNever } from '../../shared/lib/assert-never.ts'
import { cleanVariables } from '../environment/clean-variables.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { ownProgram } from '../environment/own-programs/own-programs.ts'
import type { HostChild } from '../host-process/near/host-child.ts'

/** How programs that lead to other places are started. */
export interface WayThere {
  /** A private folder for the sockets of shared connections. Null if connections are not shared (Windows). */
  readonly sockets: string | null
  /** Another ssh configuration than the user's. */
  readonly sshConfig: string | null
  /** Variables with which `ssh` asks the user. Null if nobody can be asked: `ssh` then fails instead of waiting. */
  readonly asking: Readonly<Record<string, string>> | null
}

/** What every connection has: it notices a dead line, and forwards nothing that the user's configuration would forward. */
const ALWAYS = ['-T', '-o', 'ServerAliveInterval=15', '-o', 'ServerAliveCountMax=3', '-o', 'ClearAllForwardings=yes'] as const
/** For how long, in seconds, a connection is kept after its last use. */
const KEPT_S = 120

/** A line of shell at a place, as a program of this computer. Rejects with `ENOENT` if that program is missing here. */
export async function programAt(place: Place, line: string, way: WayThere): Promise<readonly [string, ...string[]]> {
  switch (place.kind) {
    case 'ssh':
      return [mustHave('ssh'), ...(await sshOptions(place, way)), '--', place.host, `exec sh -c ${quoted(line)}`]
    case 'container':
      return [await containerProgram(place.name), 'exec', '-i', place.name, 'sh', '-c', line]
    default:
      return assertNever(place)
  }
}

async function sshOptions({ host, port }: SshPlace, { sockets, sshConfig, asking }: WayThere): Promise<readonly string[]> {
  const where = [...(sshConfig === null ? [] : ['-F', sshConfig]), ...(port === null ? [] : ['-p', String(port)])]
  const own = sockets !== null && !(await sharesByItself(host, where))
  return [
    ...where,
    ...ALWAYS,
    ...(own ? ['-o', 'ControlMaster=auto', '-o', `ControlPath=${sockets}/%C`, '-o', `ControlPersist=${KEPT_S}`] : []),
    // Nobody watches, so a machine that does not answer is given up soon.
    ...(asking === null ? ['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15'] : []),
  ]
}

const sharing = new Map<string, Promise<boolean>>()

/** Whether the user's own configuration says how connections to this host are shared. */
function sharesByItself(host: string, where: readonly string[]): Promise<boolean> {
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

/** Ends the shared connection to a host, so that the next one does not wait for a dead line. */
export async function endShared(place: Place, way: WayThere): Promise<void> {
  if (place.kind !== 'ssh' || way.sockets === null) return
  await outputOf(mustHave('ssh'), [...(await sshOptions(place, way)), '-O', 'exit', '--', place.host])
}

/** The programs of this computer that run containers. */
export const containerPrograms = (): readonly string[] =>
  ['docker', 'podman'].map((name) => ownProgram(name)).filter((file) => file !== null)

/** The program that knows the container. If none does, the last one, which then says so: `docker` may have no daemon. */
async function containerProgram(name: string): Promise<string> {
  const programs = containerPrograms()
  for (const program of programs.length > 1 ? programs : []) {
    if ((await outputOf(program, ['container', 'inspect', '--format', '{{.State.Running}}', name])).trim() === 'true') return program
  }
  const last = programs.at(-1)
  if (last === undefined) throw missing('docker” or “podman')
  return last
}

function mustHave(name: string): string {
  const found = ownProgram(name)
  if (found === null) throw missing(name)
  return found
}

const missing = (name: string): EnvironmentFailure =>
  new EnvironmentFailure('ENOENT', `No program “${name}” was found on this computer (ENOENT). Install it.`)

/** A word for any shell of the other side. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * Starts the program. It gets a process group of its own, so that a Ctrl+C in the app's terminal does not reach it, and no terminal on which
 * it could ask.
 */
export function startProgram([file, ...args]: readonly [string, ...string[]], { asking }: WayThere): HostChild {
  const isWindows = process.platform === 'win32'
  const env = { ...cleanVariables(process.env), ...asking }
  return spawn(file, args, { stdio: 'pipe', cwd: homedir(), detached: !isWindows, windowsHide: true, env })
}

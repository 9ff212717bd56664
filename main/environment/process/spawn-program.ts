import { isAbsolute } from 'node:path'
import { spawn } from 'node:child_process'
import type { SpawnOptions, SpawnResult } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import { commandEnvironment, pathIn, type Variables, withPath } from '../env-policy.ts'
import { launchEnvironment } from '../launch-environment.ts'
import { ownFolders, ownProgram } from '../own-programs/own-programs.ts'
import { MARKER_VARIABLE } from './process-marker.ts'
import type { ProcessTable } from './process-table.ts'
import { absoluteFolders, findProgram } from './find-program.ts'
import { attempted, startFailure } from './start-failure.ts'

/** Number of bytes of stdout that are kept by default. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
/** Number of characters of stderr that are kept: enough for any message of ripgrep or git. */
const MAX_STDERR = 64 * 1024

export interface ProgramRun {
  /** Called with each piece of output. If it returns false, the program is stopped and the result is marked as capped. */
  readonly onStdout: (bytes: Buffer) => boolean
}

export interface ProgramEnd {
  readonly stderr: string
  readonly exitCode: number | null
  readonly capped: boolean
}

/**
 * Runs a helper program of Countersign (ripgrep, git) from an argument list, without a shell, in a clean environment. Only absolute folders
 * of PATH are searched for the program and, unless it is confined, none of a project. Rejects with `ENOENT` if the program is missing, with
 * `ETIMEDOUT` if it takes too long, and with the signal's reason on abort.
 */
export async function followProgram(
  table: ProcessTable,
  argv: readonly [string, ...string[]],
  cwd: string,
  options: SpawnOptions,
  run: ProgramRun,
): Promise<ProgramEnd> {
  options.signal?.throwIfAborted()
  const [name, ...args] = argv
  const found = foundProgram(
    name,
    commandEnvironment(launchEnvironment(), { policy: 'inherit_core' }, options.env),
    options.confinement !== undefined,
  )
  const coming = table.begin(argv.join(' '), cwd)
  const env = { ...found.env, [MARKER_VARIABLE]: coming.marker }
  const plain = { file: found.file, args, cwd, env, inTerminal: false }
  const what = options.confinement?.wrap(plain) ?? plain
  const detached = process.platform !== 'win32'
  const place = { cwd: what.cwd, env: what.env, detached, windowsHide: true } as const
  const started = attempted(() =>
    options.input
      ? spawn(what.file, what.args, { ...place, stdio: ['pipe', 'pipe', 'pipe'] })
      : spawn(what.file, what.args, { ...place, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  if (!started.ok) {
    coming.failed()
    throw await startFailure(started.failure, found.file, cwd)
  }
  const child = started.value
  // If a program ends before it has read everything, its exit code gives the reason.
  child.stdin?.on('error', () => {}).end(options.input)
  const { promise, resolve, reject } = Promise.withResolvers<ProgramEnd>()
  let stderr = ''
  let capped = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_STDERR) stderr += text
  })
  child.stdout.on('data', (bytes: Buffer) => {
    if (capped || run.onStdout(bytes)) return
    capped = true
    child.kill('SIGKILL')
  })
  child.once('error', (error) => void startFailure(error, found.file, cwd).then(reject))
  child.once('close', (exitCode) => resolve({ stderr, exitCode, capped }))
  if (child.pid === undefined) {
    coming.failed()
    return promise
  }
  const owned = coming.began(child.pid)
  const stop = (why: unknown): void => {
    reject(why)
    // This is enough to end all confined processes, because they end with the first one.
    if (options.confinement) child.kill('SIGKILL')
    void table.end(owned)
  }
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stop(timedOut(name, options.timeoutMs)), options.timeoutMs)
  const onAbort = (): void => stop(options.signal?.reason)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const end = await promise
    await table.release(owned, false)
    return end
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * Finds a program, and returns its file and its variables. Its PATH has only the folders in which programs may be found, because some
 * programs search PATH too, as git does for every subcommand that it does not know. Throws `ENOENT` if there is no such program.
 */
export function foundProgram(name: string, env: Variables, isConfined: boolean): { readonly file: string; readonly env: Variables } {
  const path = pathIn(env)
  const folders = isConfined ? absoluteFolders(path) : ownFolders(path)
  // An absolute path was chosen by the caller, such as that of the bundled ripgrep.
  const file = isConfined || isAbsolute(name) ? findProgram(name, folders) : ownProgram(name, path)
  if (file === null) throw new EnvironmentFailure('ENOENT', `The program ${name} was not found (ENOENT).`)
  return { file, env: withPath(env, folders) }
}

/** Runs a program like `followProgram` and collects its output. */
export async function spawnProgram(
  table: ProcessTable,
  argv: readonly [string, ...string[]],
  cwd: string,
  options: SpawnOptions,
): Promise<SpawnResult> {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  const pieces: Buffer[] = []
  let held = 0
  const onStdout = (bytes: Buffer): boolean => {
    pieces.push(bytes.subarray(0, maxBytes - held))
    held += bytes.length
    return held < maxBytes
  }
  const end = await followProgram(table, argv, cwd, options, { onStdout })
  const stdout = Buffer.concat(pieces)
  return { ...end, stdout: new Uint8Array(stdout.buffer, stdout.byteOffset, stdout.byteLength) }
}

function timedOut(name: string, timeoutMs: number | undefined): EnvironmentFailure {
  return new EnvironmentFailure('ETIMEDOUT', `${name} was stopped after ${timeoutMs} ms (ETIMEDOUT).`)
}

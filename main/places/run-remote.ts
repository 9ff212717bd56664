import { pipeline } from 'node:stream/promises'
import type { Place } from '../../shared/places/address.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { startAt, type ConnectionOptions } from './programs.ts'

/** Time limit in ms for a connection and a short command. It includes the login shell and the time in which the user types a password. */
const LIMIT_MS = 120_000
/** Maximum length of an output, in characters. Longer outputs lose their beginning. The outputs that we need are shorter. */
const MAX_CHARS = 64 * 1024

export interface RemoteResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

interface RunOptions {
  /** The standard input of the shell line. */
  readonly input?: AsyncIterable<Uint8Array>
  /** Takes the standard output, which is then not part of the result. */
  readonly onOutput?: (bytes: Buffer) => void
  readonly signal?: AbortSignal | undefined
  readonly limitMs?: number
}

/** Runs a shell line at a place. Rejects with the signal's reason, or with `ETIMEDOUT` after the limit. */
export async function runRemote(
  place: Place,
  line: string,
  connection: ConnectionOptions,
  options: RunOptions = {},
): Promise<RemoteResult> {
  const { input, onOutput, signal, limitMs = LIMIT_MS } = options
  signal?.throwIfAborted()
  const child = await startAt(place, line, connection)
  const ended = Promise.withResolvers<number | null>()
  let stdout = ''
  let stderr = ''
  if (onOutput) child.stdout.on('data', onOutput)
  else child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(-MAX_CHARS)))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-MAX_CHARS)))
  // The exit code says more than a closed pipe.
  child.stdin.on('error', () => {})
  child.once('error', (error) => ended.reject(new EnvironmentFailure('ENOENT', `${error.message}.`)))
  child.once('close', (code) => ended.resolve(code))
  const stop = (reason: unknown): void => {
    child.kill('SIGKILL')
    ended.reject(reason)
  }
  const onAbort = (): void => stop(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(
    () => stop(new EnvironmentFailure('ETIMEDOUT', `It did not answer within ${limitMs / 1000} s (ETIMEDOUT).`)),
    limitMs,
  )
  try {
    // A line that ends early does not read its input to the end, and its exit code says why.
    if (input) pipeline(input, child.stdin).catch(() => {})
    else child.stdin.end()
    const exitCode = await ended.promise
    return { stdout, stderr: stderr.trim(), exitCode }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

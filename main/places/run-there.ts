import { pipeline } from 'node:stream/promises'
import type { Place } from '../../shared/places/address.ts'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { programAt, startProgram, type WayThere } from './programs.ts'

/** Time limit in ms for a connection and a short command. A login shell may take seconds, and so may a person who types a password. */
const LIMIT_MS = 120_000
/** Maximum number of characters that are kept of an output. Everything that we ask for is shorter. */
const KEPT = 64 * 1024

export interface RunThere {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

interface RunOptions {
  /** Given to the line as its input. */
  readonly input?: AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal | undefined
  readonly limitMs?: number
}

/** Runs a line of shell at a place. Rejects with the signal's reason, or with `ETIMEDOUT` after the limit. */
export async function runThere(place: Place, line: string, way: WayThere, options: RunOptions = {}): Promise<RunThere> {
  const { input, signal, limitMs = LIMIT_MS } = options
  signal?.throwIfAborted()
  const child = startProgram(await programAt(place, line, way), way)
  const ended = Promise.withResolvers<number | null>()
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(-KEPT)))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT)))
  // The end of the process says more than a closed pipe.
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

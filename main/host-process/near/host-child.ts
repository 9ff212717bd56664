import type { Readable, Writable } from 'node:stream'

/**
 * A program whose standard input and output lead to a host process: the host process itself, or a program such as `ssh` that passes bytes on
 * to one.
 */
export interface HostChild {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  kill(signal: 'SIGKILL'): boolean
  once(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'close', listener: (code: number | null, signal: string | null) => void): unknown
}

/** Number of characters of its error output that are kept for a message. */
const KEPT = 2_000
/** Time in ms that the child has to end by itself. The far side needs 2.5 s to end stubborn programs. */
const GRACE_MS = 5_000

export interface FollowedChild {
  /** Resolves when the child has ended or could not be started, with a sentence that says how. */
  readonly ended: Promise<string>
  /** The end of what it printed as errors. */
  errors(): string
  /** Ends the child's input and, if it does not end by itself, the child. Resolves when it has ended. */
  end(): Promise<void>
}

export function followChild(child: HostChild): FollowedChild {
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-KEPT)))
  const ended = Promise.withResolvers<string>()
  child.once('error', (error) => ended.resolve(`It could not be started: ${error.message}.`))
  child.once('close', (code, signal) => ended.resolve(`Its process ended (${signal ?? `exit code ${code}`}).`))
  return {
    ended: ended.promise,
    errors: () => errors.trim(),
    async end() {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      // Unread output would keep the child from ending.
      child.stdout.resume()
      await ended.promise
      clearTimeout(timer)
    },
  }
}

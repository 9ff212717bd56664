import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type { HostChild } from '../host-process/near/host-child.ts'
import { ProtocolError } from '../host-process/wire/frames.ts'
import { createLine } from '../host-process/wire/line.ts'
import { behindMarker } from '../host-process/wire/marker.ts'

/** A connection over which nothing comes for this long is lost. */
const SILENCE_MS = 16_000
/** Maximum time in ms for one try. */
const TRY_MS = 30_000
/** The waits between tries, in ms. The last one is repeated. */
const WAITS = [250, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const

/** Whether the connection stands. Times are in ms since 1970. `nextAt`: null while a try runs. */
export type LineState =
  | { readonly kind: 'connected' }
  | { readonly kind: 'lost'; readonly since: number; readonly why: string; readonly nextAt: number | null }

export interface LastingParts {
  /** Starts a program that leads to the daemon: a new one, or the one that was started before. */
  connect(isNew: boolean): Promise<HostChild>
  /** Called before the first try after a loss. */
  beforeRetry(): Promise<void>
  /** How long, in ms, what runs there goes on without us. */
  readonly graceMs: number
  onState(state: LineState): void
}

export interface LastingChild extends HostChild {
  /** Tries again at once. */
  retry(): void
}

/** A host process whose connection may be lost and made again, without anybody noticing more than a pause. */
export function createLastingChild({ connect, beforeRetry, graceMs, onState }: LastingParts): LastingChild {
  const line = createLine(SILENCE_MS)
  const events = new EventEmitter()
  const stderr = new PassThrough()
  let current: HostChild | null = null
  let lostAt: number | null = null
  let tries = 0
  let isOver = false
  let hasStood = false
  let lastWhy = ''
  /** The last words of the program, which say more than how it ended. */
  let lastSaid = ''
  let timer: NodeJS.Timeout | undefined

  const end = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    current?.kill('SIGKILL')
    stderr.end()
    events.emit('close', null, null)
  }
  const attempt = async (isNew: boolean): Promise<void> => {
    if (lostAt !== null) {
      onState({ kind: 'lost', since: lostAt, why: lastWhy, nextAt: null })
      // Later tries may share a connection for which the user has been asked meanwhile.
      if (tries === 1) await beforeRetry().catch(() => {})
    }
    try {
      const child = await connect(isNew)
      current = child
      child.stderr.on('data', (bytes: Buffer) => {
        lastSaid = bytes.toString('utf8').trim() || lastSaid
        if (!isOver) stderr.write(bytes)
      })
      const input = behindNoise(child)
      const limit = setTimeout(() => input.destroy(new Error('It did not answer.')), TRY_MS)
      const done = line.onAttached(() => clearTimeout(limit))
      const closed = (): void => {
        clearTimeout(limit)
        done.dispose()
        input.destroy()
      }
      child.once('error', closed)
      child.once('close', closed)
      // It may have been ended while the program was being started.
      if (isOver) child.kill('SIGKILL')
      else line.attach({ input, output: child.stdin, destroy: () => void child.kill('SIGKILL') })
    } catch (error) {
      lose(error instanceof Error ? error.message : String(error))
    }
  }
  const lose = (why: string): void => {
    if (isOver) return
    // Before the first connection has stood, there is nothing to come back to.
    if (!hasStood) return end()
    lostAt ??= Date.now()
    lastWhy = lastSaid === '' ? why : lastSaid
    if (Date.now() - lostAt > graceMs) return end()
    const wait = WAITS[Math.min(tries, WAITS.length - 1)] ?? 0
    tries += 1
    clearTimeout(timer)
    timer = setTimeout(() => void attempt(false), wait)
    onState({ kind: 'lost', since: lostAt, why: lastWhy, nextAt: Date.now() + wait })
  }
  line.onAttached(() => {
    hasStood = true
    lostAt = null
    tries = 0
    lastSaid = ''
    onState({ kind: 'connected' })
  })
  line.onDetached(lose)
  void line.ended.then(end)
  line.input.once('end', end)
  void attempt(true)
  return {
    stdin: line.output,
    stdout: line.input,
    stderr,
    kill() {
      line.destroy('It was ended.')
      return true
    },
    once: (event: 'error' | 'close', listener: (...args: never[]) => void) => events.once(event, listener as (...args: unknown[]) => void),
    retry() {
      if (lostAt === null || isOver) return
      clearTimeout(timer)
      tries = 0
      void attempt(false)
    },
  }
}

/** What the program prints after the mark of the host process. */
function behindNoise({ stdout }: HostChild): PassThrough {
  const input = new PassThrough()
  input.on('drain', () => stdout.resume())
  const skip = behindMarker((bytes) => {
    if (!input.write(bytes)) stdout.pause()
  })
  stdout.on('data', (bytes: Buffer) => {
    try {
      skip(bytes)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      input.destroy(error)
    }
  })
  return input
}

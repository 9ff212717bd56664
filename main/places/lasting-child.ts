import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { codeOf } from '../environment/environment-failure.ts'
import type { HostChild } from '../host-process/near/host-child.ts'
import { ProtocolError } from '../host-process/wire/frames.ts'
import { createLine } from '../host-process/wire/line.ts'
import { behindMarker } from '../host-process/wire/marker.ts'

/** A connection that receives nothing for this long, in ms, counts as lost. */
const SILENCE_MS = 16_000
/** Time in ms that the first host process has to start. A machine under load, or its login shell, may take long. */
const START_MS = 60_000
const FIRST_WAIT_MS = 250
const MIN_WAIT_MS = 1_000

/**
 * The time in ms to wait before the next attempt: an eighth of the time without a connection. So a connection that could be made again after
 * a short loss is made again within 2 s, and a long loss costs few attempts.
 */
const waitAfter = (lostForMs: number, attempts: number, maxWaitMs: number): number =>
  attempts === 0 ? FIRST_WAIT_MS : Math.min(Math.max(lostForMs / 8, MIN_WAIT_MS), maxWaitMs)

/** The state of a connection. Times are in ms since 1970. `nextAt`: when the next attempt begins. Null during an attempt. */
export type LineState =
  | { readonly kind: 'connected' }
  | { readonly kind: 'lost'; readonly since: number; readonly why: string; readonly nextAt: number | null }

/** How long both sides wait after the connection is lost. */
export interface Patience {
  /** How long, in ms, the daemon runs without a connection. Then it ends everything there, because nobody may ever reconnect. */
  readonly graceMs: number
  /** The longest time in ms between two attempts to reconnect. */
  readonly maxWaitMs: number
}

export const PATIENCE: Patience = { graceMs: 10 * 60_000, maxWaitMs: 30_000 }

export interface LastingParts {
  /**
   * Starts a program that connects to the daemon: to a new one if `isNew`, otherwise to the one that is running. Rejects with `EGONE` if the
   * place no longer exists, so that nothing waits for it.
   */
  connect(isNew: boolean): Promise<HostChild>
  /** Called before the first attempt to reconnect. */
  beforeRetry(): Promise<void>
  readonly patience: Patience
  onState(state: LineState): void
}

export interface LastingChild extends HostChild {
  /** Reconnects at once if the connection is lost. */
  retry(): void
}

/** A host process that reconnects by itself when its connection is lost. Its caller notices only a pause. */
export function createLastingChild({ connect, beforeRetry, patience, onState }: LastingParts): LastingChild {
  const line = createLine(SILENCE_MS)
  const events = new EventEmitter()
  const stderr = new PassThrough()
  let current: HostChild | null = null
  let lostAt: number | null = null
  let attempts = 0
  let isOver = false
  let wasConnected = false
  /** Whether a program is being started. Only one is started at a time. */
  let isStarting = false
  let lastWhy = ''
  /** The program's last output on standard error, which says more than its exit code. */
  let lastStderr = ''
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
    if (isStarting) return
    isStarting = true
    await start(isNew).finally(() => (isStarting = false))
  }
  const start = async (isNew: boolean): Promise<void> => {
    if (lostAt !== null) {
      onState({ kind: 'lost', since: lostAt, why: lastWhy, nextAt: null })
      // Later attempts may share a connection that the user has opened again in the meantime.
      if (attempts === 1) await beforeRetry().catch(() => {})
    }
    try {
      const child = await connect(isNew)
      current = child
      child.stderr.on('data', (bytes: Buffer) => {
        lastStderr = bytes.toString('utf8').trim() || lastStderr
        if (!isOver) stderr.write(bytes)
      })
      const input = afterMarker(child)
      const closed = (): void => void input.destroy()
      child.once('error', closed)
      child.once('close', closed)
      // `end` may have been called while the program was starting.
      if (isOver) child.kill('SIGKILL')
      else line.attach({ input, output: child.stdin, destroy: () => void child.kill('SIGKILL') }, isNew ? START_MS : SILENCE_MS)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (codeOf(error) !== 'EGONE') return lose(why)
      stderr.write(why)
      end()
    }
  }
  const lose = (why: string): void => {
    if (isOver) return
    // If the first connection fails, there is no daemon to reconnect to.
    if (!wasConnected) return end()
    lostAt ??= Date.now()
    lastWhy = lastStderr === '' ? why : lastStderr
    if (Date.now() - lostAt > patience.graceMs) return end()
    const wait = waitAfter(Date.now() - lostAt, attempts, patience.maxWaitMs)
    attempts += 1
    clearTimeout(timer)
    timer = setTimeout(() => void attempt(false), wait)
    onState({ kind: 'lost', since: lostAt, why: lastWhy, nextAt: Date.now() + wait })
  }
  line.onAttached(() => {
    clearTimeout(timer)
    wasConnected = true
    lostAt = null
    attempts = 0
    lastStderr = ''
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
      attempts = 0
      void attempt(false)
    },
  }
}

/** The program's output after the host process's marker. Login shells may print text before it. */
function afterMarker({ stdout }: HostChild): PassThrough {
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

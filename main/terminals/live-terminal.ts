import type { TerminalItem, TerminalStanding } from '../../shared/api/terminals.ts'
import { AsyncQueue } from '../../shared/lib/async-queue.ts'
import { newId } from '../../shared/lib/ids.ts'
import type { RunningTerminal } from '../agent/ports/execution-environment.ts'

/** The command blocks above so many unacknowledged characters of the slowest watcher, and goes on below the second (DESIGN §8). */
export const FLOW = { pauseAbove: 100_000, resumeBelow: 5_000 } as const
/** Output is gathered for so long before it is sent, ms: a frame has 16, and a pty speaks in pieces of 5 KB. */
const BATCH_MS = 5
/** So many characters are sent at once: a window that has drawn them says so before the command has to wait. */
const BATCH_CHARS = 32 * 1024

/** How the command of a terminal stands. */
export type LiveStanding = Omit<TerminalStanding, 'sessionId' | 'toolCallId'>

interface Watcher {
  readonly queue: AsyncQueue<TerminalItem>
  /** Arrived and not yet sent; before the replay has been sent, all of it. */
  batch: string
  unacknowledged: number
  hasReplay: boolean
  /** Looks at the watcher's signal no longer. */
  readonly forget: () => void
}

function sendBatch(watcher: Watcher): void {
  if (!watcher.hasReplay || watcher.batch === '') return
  watcher.queue.push({ kind: 'data', data: watcher.batch })
  watcher.batch = ''
}

/** One command's terminal and everybody who watches it. Nobody watching: the command is never held up. */
export class LiveTerminal {
  readonly #terminal: RunningTerminal
  readonly #watchers = new Map<string, Watcher>()
  #exit: { readonly exitCode: number | null; readonly endedAt: number } | null = null
  #waits = false
  #isPaused = false
  #timer: NodeJS.Timeout | undefined

  /** `onChange`: it waits for input, or waits no more, or has ended. */
  constructor(terminal: RunningTerminal, { onExit, onChange }: { readonly onExit: () => void; readonly onChange: () => void }) {
    this.#terminal = terminal
    terminal.onData((data) => this.#take(data))
    terminal.onExit((exitCode) => {
      this.#exit = { exitCode, endedAt: Date.now() }
      clearTimeout(this.#timer)
      this.#send()
      onExit()
      onChange()
    })
    terminal.onWaits((waits) => {
      this.#waits = waits
      onChange()
    })
  }

  standing(): LiveStanding {
    const runs = this.#exit === null
    const canEnd = runs && this.#terminal.end !== undefined
    const { exitCode, endedAt } = this.#exit ?? { exitCode: null, endedAt: null }
    return { runs, waitsForInput: runs && this.#waits, canEnd, exitCode, endedAt }
  }

  /** False: it has ended, or ends with its call alone. */
  end(): boolean {
    if (this.#exit || !this.#terminal.end) return false
    this.#terminal.end()
    return true
  }

  /**
   * First the screen as it stands, then what comes, then the exit. Watching begins with the iteration and ends with it, or at once when the
   * signal aborts: somebody who is gone never holds the command up.
   */
  attach(signal: AbortSignal): AsyncIterable<TerminalItem> {
    return { [Symbol.asyncIterator]: () => this.#watch(signal)[Symbol.asyncIterator]() }
  }

  /** Tells how much of `data` items a watcher has drawn, in characters. A watcher that is gone is no error. */
  ack(watcher: string, chars: number): void {
    const found = this.#watchers.get(watcher)
    if (!found) return
    found.unacknowledged = Math.max(0, found.unacknowledged - chars)
    this.#adjustFlow()
  }

  /** False: the command has ended and nobody reads any more. */
  write(data: string): boolean {
    if (this.#exit) return false
    this.#terminal.write(data)
    return true
  }

  resize(columns: number, rows: number): void {
    if (!this.#exit) this.#terminal.resize(columns, rows)
  }

  #watch(signal: AbortSignal): AsyncQueue<TerminalItem> {
    const id = newId('watcher')
    const queue = new AsyncQueue<TerminalItem>(() => this.#detach(id))
    const stop = (): void => {
      this.#detach(id)
      queue.end()
    }
    if (signal.aborted) {
      queue.end()
      return queue
    }
    signal.addEventListener('abort', stop, { once: true })
    const forget = (): void => signal.removeEventListener('abort', stop)
    const watcher: Watcher = { queue, batch: '', unacknowledged: 0, hasReplay: false, forget }
    this.#watchers.set(id, watcher)
    this.#terminal.snapshot().then(
      (snapshot) => {
        queue.push({ kind: 'replay', ...snapshot, watcher: id })
        watcher.hasReplay = true
        this.#send()
      },
      (error: unknown) => {
        this.#detach(id)
        queue.fail(error)
      },
    )
    return queue
  }

  #detach(id: string): void {
    this.#watchers.get(id)?.forget()
    this.#watchers.delete(id)
    this.#adjustFlow()
  }

  #take(data: string): void {
    for (const watcher of this.#watchers.values()) {
      watcher.batch += data
      watcher.unacknowledged += data.length
    }
    this.#adjustFlow()
    if (this.#watchers.size > 0) this.#timer ??= setTimeout(() => this.#send(), BATCH_MS)
    for (const watcher of this.#watchers.values()) if (watcher.batch.length >= BATCH_CHARS) sendBatch(watcher)
  }

  #send(): void {
    this.#timer = undefined
    for (const [id, watcher] of this.#watchers) {
      if (!watcher.hasReplay) continue
      sendBatch(watcher)
      if (!this.#exit) continue
      watcher.queue.push({ kind: 'exit', exitCode: this.#exit.exitCode })
      watcher.queue.end()
      this.#detach(id)
    }
  }

  #adjustFlow(): void {
    const most = Math.max(0, ...[...this.#watchers.values()].map((watcher) => watcher.unacknowledged))
    if (!this.#isPaused && most > FLOW.pauseAbove) this.#hold(true)
    else if (this.#isPaused && most < FLOW.resumeBelow) this.#hold(false)
  }

  #hold(isPaused: boolean): void {
    this.#isPaused = isPaused
    if (this.#exit) return
    if (isPaused) this.#terminal.pause()
    else this.#terminal.resume()
  }
}

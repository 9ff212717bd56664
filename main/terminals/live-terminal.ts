import type { TerminalItem, TerminalStatus } from '../../shared/api/terminals.ts'
import { AsyncQueue } from '../../shared/lib/async-queue.ts'
import { newId } from '../../shared/lib/ids.ts'
import type { RunningTerminal } from '../agent/ports/execution-environment.ts'

/**
 * Limits for the number of characters that the slowest watcher has not acknowledged: above `pauseAbove` the command blocks, and below
 * `resumeBelow` it continues.
 */
const FLOW = { pauseAbove: 100_000, resumeBelow: 5_000 } as const
/** Time in ms for which output is collected before it is sent. A frame takes 16 ms, and a pty delivers pieces of 5 KB. */
const BATCH_MS = 5
/** Maximum number of characters sent at once. It is small enough for a window to acknowledge the piece before the command must wait. */
const BATCH_CHARS = 32 * 1024

/** The state of a terminal's command. */
export type LiveStatus = Omit<TerminalStatus, 'sessionId' | 'toolCallId'>

interface Watcher {
  readonly queue: AsyncQueue<TerminalItem>
  /** Output that has not been sent yet. It is held back until the replay has been sent. */
  batch: string
  unacknowledged: number
  hasReplay: boolean
  /** Stops listening to the watcher's signal. */
  readonly forget: () => void
}

function sendBatch(watcher: Watcher): void {
  if (!watcher.hasReplay || watcher.batch === '') return
  watcher.queue.push({ kind: 'data', data: watcher.batch })
  watcher.batch = ''
}

/** One command's terminal and its watchers. Without watchers the command is never slowed down. */
export class LiveTerminal {
  readonly #terminal: RunningTerminal
  readonly #watchers = new Map<string, Watcher>()
  #exit: { readonly exitCode: number | null; readonly endedAt: number } | null = null
  #waits = false
  #isPaused = false
  #timer: NodeJS.Timeout | undefined

  /** `onChange` is called when the command has started or stopped waiting for input, or has ended. */
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

  status(): LiveStatus {
    const runs = this.#exit === null
    const canEnd = runs && this.#terminal.end !== undefined
    const { exitCode, endedAt } = this.#exit ?? { exitCode: null, endedAt: null }
    return { runs, waitsForInput: runs && this.#waits, canEnd, exitCode, endedAt }
  }

  /** Returns false if the command has ended, or can only end together with its call. */
  end(): boolean {
    if (this.#exit || !this.#terminal.end) return false
    this.#terminal.end()
    return true
  }

  /**
   * Yields the current screen first, then output, then the exit. Watching ends when the iteration ends or the signal aborts, so that a
   * watcher that is gone never slows the command down.
   */
  attach(signal: AbortSignal): AsyncIterable<TerminalItem> {
    return { [Symbol.asyncIterator]: () => this.#watch(signal)[Symbol.asyncIterator]() }
  }

  /** Reports how many characters of `data` items a watcher has drawn. An unknown watcher is ignored. */
  ack(watcher: string, chars: number): void {
    const found = this.#watchers.get(watcher)
    if (!found) return
    found.unacknowledged = Math.max(0, found.unacknowledged - chars)
    this.#adjustFlow()
  }

  /** Returns false if the command has ended. */
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

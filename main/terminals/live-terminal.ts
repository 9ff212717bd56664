import type { TerminalItem, TerminalStatus } from '../../shared/api/terminals.ts'
import { AsyncQueue } from '../../shared/lib/async-queue.ts'
import { newId } from '../../shared/lib/ids.ts'
import type { RunningTerminal, SnapshotPart } from '../agent/ports/execution-environment.ts'

/**
 * A watcher that has more characters than this still to draw gets no more output. From then on it gets only screens, until the output is
 * slow again. Then it gets the screen and what is above it, and output from there on. The command never waits for it.
 */
const MOST_UNDRAWN = 100_000
/** The output has slowed down if at most this many characters arrived since the last screen. */
const SLOW_CHARS = 16 * 1024
/** Minimum time in ms between two screens for a watcher that is too slow, because the page has to draw each of them. */
const CATCH_UP_MS = 250
/** Ends an unfinished escape sequence, so that it does not swallow the beginning of the next screen. */
const CANCEL = '\x18'
/** Time in ms for which output is collected before it is sent. A frame takes 16 ms, and a pty delivers pieces of 5 KB. */
const BATCH_MS = 5
/** Maximum number of characters sent at once. It is small enough for a window to acknowledge the piece before it counts as slow. */
const BATCH_CHARS = 32 * 1024

/** The state of a terminal's command. */
export type LiveStatus = Omit<TerminalStatus, 'sessionId' | 'toolCallId'>

interface Watcher {
  readonly queue: AsyncQueue<TerminalItem>
  /** Output that has not been sent yet. It is held back until the replay has been sent. */
  batch: string
  unacknowledged: number
  hasReplay: boolean
  /** Whether output is being skipped. The watcher then needs a screen once it has drawn what it has. */
  isBehind: boolean
  /** Number of characters skipped since the last screen. */
  leftOut: number
  /** When the newest screen was asked for, in ms. */
  replayedAt: number
  catchUpTimer: NodeJS.Timeout | undefined
  /** Stops listening to the watcher's signal. */
  readonly forget: () => void
}

const NEW_WATCHER = {
  batch: '',
  unacknowledged: 0,
  hasReplay: false,
  isBehind: false,
  leftOut: 0,
  replayedAt: 0,
  catchUpTimer: undefined,
} as const

function sendBatch(watcher: Watcher): void {
  if (!watcher.hasReplay || watcher.batch === '') return
  watcher.queue.push({ kind: 'data', data: watcher.batch })
  watcher.batch = ''
}

/** One command's terminal and its watchers, which never slow the command down. */
export class LiveTerminal {
  readonly #terminal: RunningTerminal
  readonly #watchers = new Map<string, Watcher>()
  #exit: { readonly exitCode: number | null; readonly endedAt: number } | null = null
  #waits = false
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
    if (found.isBehind && found.unacknowledged === 0) this.#catchUpSoon(watcher, found)
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
    const watcher: Watcher = { queue, forget, ...NEW_WATCHER }
    this.#watchers.set(id, watcher)
    this.#replay(id, watcher)
    return queue
  }

  /** Sends the screen. The output that follows it is held back meanwhile. */
  #replay(id: string, watcher: Watcher): void {
    watcher.hasReplay = false
    watcher.isBehind = false
    this.#sendScreen(id, watcher, 'screen and scrollback', () => {
      watcher.hasReplay = true
      this.#send()
    })
  }

  /**
   * Sends the screen to a watcher that remains behind, followed by one character. Its acknowledgement shows that the screen has been drawn.
   */
  #replayScreen(id: string, watcher: Watcher): void {
    watcher.unacknowledged = CANCEL.length
    this.#sendScreen(id, watcher, 'screen', () => watcher.queue.push({ kind: 'data', data: CANCEL }))
  }

  #sendScreen(id: string, watcher: Watcher, part: SnapshotPart, onSent: () => void): void {
    watcher.leftOut = 0
    watcher.replayedAt = performance.now()
    this.#terminal.snapshot(part).then(
      (snapshot) => {
        watcher.queue.push({ kind: 'replay', ...snapshot, watcher: id })
        onSent()
      },
      (error: unknown) => {
        this.#detach(id)
        watcher.queue.fail(error)
      },
    )
  }

  #catchUpSoon(id: string, watcher: Watcher): void {
    const wait = this.#exit ? 0 : Math.max(0, watcher.replayedAt + CATCH_UP_MS - performance.now())
    watcher.catchUpTimer ??= setTimeout(() => {
      watcher.catchUpTimer = undefined
      if (this.#exit || watcher.leftOut <= SLOW_CHARS) this.#replay(id, watcher)
      else this.#replayScreen(id, watcher)
    }, wait)
  }

  #detach(id: string): void {
    const watcher = this.#watchers.get(id)
    clearTimeout(watcher?.catchUpTimer)
    watcher?.forget()
    this.#watchers.delete(id)
  }

  #take(data: string): void {
    for (const watcher of this.#watchers.values()) {
      if (watcher.isBehind) {
        watcher.leftOut += data.length
        continue
      }
      watcher.isBehind = watcher.unacknowledged + data.length > MOST_UNDRAWN
      const shown = watcher.isBehind ? data + CANCEL : data
      watcher.batch += shown
      watcher.unacknowledged += shown.length
    }
    if (this.#watchers.size > 0) this.#timer ??= setTimeout(() => this.#send(), BATCH_MS)
    for (const watcher of this.#watchers.values()) if (watcher.batch.length >= BATCH_CHARS) sendBatch(watcher)
  }

  #send(): void {
    this.#timer = undefined
    for (const [id, watcher] of this.#watchers) {
      if (!watcher.hasReplay) continue
      sendBatch(watcher)
      if (!this.#exit || watcher.isBehind) continue
      watcher.queue.push({ kind: 'exit', exitCode: this.#exit.exitCode })
      watcher.queue.end()
      this.#detach(id)
    }
  }
}

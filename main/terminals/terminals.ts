import type { TerminalItem, TerminalStatus } from '../../shared/api/terminals.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { RunningTerminal } from '../agent/ports/execution-environment.ts'
import { LiveTerminal } from './live-terminal.ts'

/** Number of finished commands whose terminals can still be watched. For older ones, the stored bytes are shown. */
const KEPT_AFTER_EXIT = 20

/** The call to which a terminal belongs. */
export interface TerminalKey {
  readonly sessionId: SessionId
  readonly toolCallId: ToolCallId
}

/** The terminals of the commands in this run, for any number of watchers. */
export interface Terminals {
  /** Makes a command's terminal watchable until 20 later commands have finished. */
  offer(key: TerminalKey, terminal: RunningTerminal): void
  /** Calls the listener for each offered terminal. */
  onOffer(listener: (key: TerminalKey) => void): Disposable
  /** Whether the command's terminal can be watched. */
  has(key: TerminalKey): boolean
  /**
   * Yields the current screen, then output, then the exit; or `none` if there is no such terminal. Watching ends when the iteration ends or
   * the signal aborts.
   */
  attach(key: TerminalKey, signal: AbortSignal): AsyncIterable<TerminalItem>
  /** `chars` is the number of UTF-16 units of `data` items that were drawn since the last call. Replays do not count. */
  ack(key: TerminalKey, watcher: string, chars: number): void
  /** Types text into the command. Returns false if it is not running. */
  write(key: TerminalKey, data: string): boolean
  resize(key: TerminalKey, columns: number, rows: number): void
  /** The state of each terminal, in the order in which they were offered. */
  status(): readonly TerminalStatus[]
  /** Called when `status` changes. */
  onStatus(listener: () => void): Disposable
  /** Ends a command that continues after its call. Returns false if there is no such command. */
  end(key: TerminalKey): boolean
}

export function createTerminals(): Terminals {
  const terminals = new Map<string, { readonly key: TerminalKey; readonly live: LiveTerminal }>()
  const ended: string[] = []
  const offered = new Emitter<TerminalKey>()
  const changed = new Emitter<void>()
  const find = (key: TerminalKey): LiveTerminal | undefined => terminals.get(nameOf(key))?.live
  return {
    offer(key, terminal) {
      const name = nameOf(key)
      const onExit = (): void => {
        if (terminals.get(name)?.live !== live) return
        ended.push(name)
        if (ended.length > KEPT_AFTER_EXIT) terminals.delete(ended.shift() ?? name)
      }
      const live = new LiveTerminal(terminal, { onExit, onChange: () => changed.fire() })
      terminals.set(name, { key, live })
      offered.fire(key)
      changed.fire()
    },
    onOffer: offered.event,
    has: (key) => find(key) !== undefined,
    attach: (key, signal) => find(key)?.attach(signal) ?? nothing(),
    ack: (key, watcher, chars) => find(key)?.ack(watcher, chars),
    write: (key, data) => find(key)?.write(data) ?? false,
    resize: (key, columns, rows) => find(key)?.resize(columns, rows),
    status: () => [...terminals.values()].map(({ key, live }) => ({ ...key, ...live.status() })),
    onStatus: changed.event,
    end: (key) => find(key)?.end() ?? false,
  }
}

function nameOf({ sessionId, toolCallId }: TerminalKey): string {
  return `${sessionId}\n${toolCallId}`
}

async function* nothing(): AsyncIterable<TerminalItem> {
  yield { kind: 'none' }
}

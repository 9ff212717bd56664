import type { TerminalItem } from '../../shared/api/terminals.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { RunningTerminal } from '../agent/ports/execution-environment.ts'
import { LiveTerminal } from './live-terminal.ts'

/** Terminals of ended commands that can still be watched; older ones are shown from their stored bytes. */
const KEPT_AFTER_EXIT = 20

/** Whose terminal it is. */
export interface TerminalKey {
  readonly sessionId: SessionId
  readonly toolCallId: ToolCallId
}

/** The terminals of the agent's commands of this run, open to any number of watchers. */
export interface Terminals {
  /** Makes a command's terminal watchable from its start until 20 later ones have ended. */
  offer(key: TerminalKey, terminal: RunningTerminal): void
  /** Told of each command whose terminal is offered. */
  onOffer(listener: (key: TerminalKey) => void): Disposable
  /** Whether the command's terminal can be watched. */
  has(key: TerminalKey): boolean
  /** The screen as it stands, what follows, the exit; or `none` when nothing is kept. Ending the iteration or the signal detaches. */
  attach(key: TerminalKey, signal: AbortSignal): AsyncIterable<TerminalItem>
  /** `chars`: UTF-16 units of `data` items drawn since the last time; replays do not count. */
  ack(key: TerminalKey, watcher: string, chars: number): void
  /** Types into the command; false when it does not run. */
  write(key: TerminalKey, data: string): boolean
  resize(key: TerminalKey, columns: number, rows: number): void
}

export function createTerminals(): Terminals {
  const terminals = new Map<string, LiveTerminal>()
  const ended: string[] = []
  const offered = new Emitter<TerminalKey>()
  const find = (key: TerminalKey): LiveTerminal | undefined => terminals.get(nameOf(key))
  return {
    offer(key, terminal) {
      const name = nameOf(key)
      const live = new LiveTerminal(terminal, () => {
        if (terminals.get(name) !== live) return
        ended.push(name)
        if (ended.length > KEPT_AFTER_EXIT) terminals.delete(ended.shift() ?? name)
      })
      terminals.set(name, live)
      offered.fire(key)
    },
    onOffer: offered.event,
    has: (key) => find(key) !== undefined,
    attach: (key, signal) => find(key)?.attach(signal) ?? nothing(),
    ack: (key, watcher, chars) => find(key)?.ack(watcher, chars),
    write: (key, data) => find(key)?.write(data) ?? false,
    resize: (key, columns, rows) => find(key)?.resize(columns, rows),
  }
}

function nameOf({ sessionId, toolCallId }: TerminalKey): string {
  return `${sessionId}\n${toolCallId}`
}

async function* nothing(): AsyncIterable<TerminalItem> {
  yield { kind: 'none' }
}

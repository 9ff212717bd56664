import { createStore, type StoreApi } from 'zustand/vanilla'
import type { TerminalStatus } from '../../../../shared/api/terminals.ts'
import type { SessionId, ToolCallId } from '../../../../shared/lib/ids.ts'
import type { Connection } from '../connection.ts'

/** The state of the commands that have a terminal in main, by session and call. */
export interface CommandTerminals {
  /** Whether main has reported the state and is connected. */
  readonly known: boolean
  readonly commands: ReadonlyMap<string, TerminalStatus>
  /** Sessions whose turn waits for a command that waits for input. */
  readonly waiting: ReadonlySet<SessionId>
}

const NOTHING: CommandTerminals = { known: false, commands: new Map(), waiting: new Set() }

/** The key of a command in `commands`. */
export const commandKey = (sessionId: SessionId, toolCallId: ToolCallId): string => `${sessionId}\n${toolCallId}`

/** Follows the state. Main sends the complete state at each change. While disconnected, the state is empty. */
export function followCommandTerminals(connection: Connection): StoreApi<CommandTerminals> {
  const store = createStore<CommandTerminals>(() => NOTHING)
  connection.keep(async (client, signal) => {
    try {
      for await (const all of client.terminals.status({}, signal)) store.setState(terminalsOf(all))
    } finally {
      store.setState(NOTHING)
    }
  })
  return store
}

function terminalsOf(all: readonly TerminalStatus[]): CommandTerminals {
  return {
    known: true,
    commands: new Map(all.map((one) => [commandKey(one.sessionId, one.toolCallId), one])),
    // A background command does not count, because it may wait for input forever, like a server that accepts typed commands.
    waiting: new Set(all.filter(({ waitsForInput, canEnd }) => waitsForInput && !canEnd).map(({ sessionId }) => sessionId)),
  }
}

/** The number of running background commands of a session. */
export function inBackground({ commands }: CommandTerminals, sessionId: SessionId): number {
  let count = 0
  for (const one of commands.values()) if (one.sessionId === sessionId && one.runs && one.canEnd) count++
  return count
}

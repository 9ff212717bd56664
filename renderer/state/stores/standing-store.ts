import { createStore, type StoreApi } from 'zustand/vanilla'
import type { TerminalStanding } from '../../../shared/api/terminals.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'

/** How the commands stand whose terminals main has, by session and call. */
export interface Standing {
  /** Main has said how they stand, and can be asked now. */
  readonly known: boolean
  readonly commands: ReadonlyMap<string, TerminalStanding>
  /** Sessions in which a command that the turn waits for waits itself for somebody to type. */
  readonly waiting: ReadonlySet<SessionId>
}

const NOTHING: Standing = { known: false, commands: new Map(), waiting: new Set() }

/** The name of a command in `commands`. */
export const commandKey = (sessionId: SessionId, toolCallId: ToolCallId): string => `${sessionId}\n${toolCallId}`

/** Main says all of it at each change; while it cannot be asked nothing is known to run. */
export function followStanding(connection: Connection): StoreApi<Standing> {
  const store = createStore<Standing>(() => NOTHING)
  connection.keep(async (client, signal) => {
    try {
      for await (const all of client.terminals.standing({}, signal)) store.setState(standingOf(all))
    } finally {
      store.setState(NOTHING)
    }
  })
  return store
}

function standingOf(all: readonly TerminalStanding[]): Standing {
  return {
    known: true,
    commands: new Map(all.map((one) => [commandKey(one.sessionId, one.toolCallId), one])),
    // what runs beside the turn may wait for ever: a server reads its keys
    waiting: new Set(all.filter(({ waitsForInput, canEnd }) => waitsForInput && !canEnd).map(({ sessionId }) => sessionId)),
  }
}

/** How many commands of a session run on beside its turns. */
export function inBackground({ commands }: Standing, sessionId: SessionId): number {
  let count = 0
  for (const one of commands.values()) if (one.sessionId === sessionId && one.runs && one.canEnd) count++
  return count
}

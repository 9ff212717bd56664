import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { WireError } from '../../../shared/wire/frames.ts'
import type { Desk } from '../desk.ts'
import type { TerminalSource } from '../../ui/terminal/terminal-source.ts'

/** A command's terminal, connected to main. Its bytes go directly to the emulator, not into a store. */
export function commandTerminalSource(desk: Desk, sessionId: SessionId, toolCallId: ToolCallId): TerminalSource {
  const key = { sessionId, toolCallId }
  const { connection } = desk
  // Failures are ignored, because the connection itself reports that it was lost. Text typed without a connection is lost, as in any
  // terminal.
  const ignore = (): void => {}
  return {
    follow: (receive) =>
      connection.keep(async (client, signal) => {
        try {
          for await (const item of client.terminals.attach(key, signal)) receive(item)
        } catch (error) {
          // A terminal that cannot be opened must not close the connection, because everything else uses it.
          if (signal.aborted || !(error instanceof WireError) || error.code === 'closed') throw error
          receive({ kind: 'none' })
        }
      }),
    acknowledge: (watcher, chars) => void connection.client?.terminals.ack({ ...key, watcher, chars }).catch(ignore),
    write: (data) => void connection.client?.terminals.write({ ...key, data }).catch(ignore),
    resize: (columns, rows) => void connection.client?.terminals.resize({ ...key, columns, rows }).catch(ignore),
  }
}

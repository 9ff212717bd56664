import { z } from 'zod'
import { SessionId, ToolCallId } from '../lib/ids.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

/**
 * The terminal of one command. `replay` brings the screen to where it stands, then `data` follows; `exit` is last. The command blocks
 * while more than 100 000 characters are unacknowledged and goes on below 5 000 (DESIGN §8); `chars` are UTF-16 units of `data`.
 */
export type TerminalItem =
  | { readonly kind: 'replay'; readonly columns: number; readonly rows: number; readonly data: string; readonly watcher: string }
  | { readonly kind: 'data'; readonly data: string }
  | { readonly kind: 'exit'; readonly exitCode: number | null }
  /** Nothing is kept of it (it ran on pipes, or in an earlier run without output). */
  | { readonly kind: 'none' }

const one = z.object({ sessionId: SessionId, toolCallId: ToolCallId })

export const terminalsApi = {
  attach: stream({ input: one, item: items<TerminalItem>() }),
  ack: command({ input: one.extend({ watcher: z.string().max(80), chars: z.number().int().nonnegative() }), output: returns<null>() }),
  write: command({ input: one.extend({ data: z.string().max(100_000) }), output: returns<{ readonly written: boolean }>() }),
  resize: command({
    input: one.extend({ columns: z.number().int().min(2).max(1000), rows: z.number().int().min(1).max(1000) }),
    output: returns<null>(),
  }),
}

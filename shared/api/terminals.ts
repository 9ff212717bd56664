import { z } from 'zod'
import { SessionId, ToolCallId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

/**
 * The terminal of one command. `replay` restores the current screen, then `data` follows, and `exit` is last. The command never waits for a
 * watcher: if more than 100,000 characters are unacknowledged, output is left out, and another `replay` comes when all are acknowledged. As
 * long as much output comes, only such screens follow, each with a character of `data` to acknowledge. `chars` are UTF-16 units of `data`.
 */
export type TerminalItem =
  | { readonly kind: 'replay'; readonly columns: number; readonly rows: number; readonly data: string; readonly watcher: string }
  | { readonly kind: 'data'; readonly data: string }
  | { readonly kind: 'exit'; readonly exitCode: number | null }
  /** There is nothing to replay: the command ran on pipes, or it ran before the app was last started and printed nothing. */
  | { readonly kind: 'none' }

/**
 * The state of a command with a terminal in this process. Such a state exists for all running commands and for the newest twenty that have
 * ended.
 */
export interface TerminalStatus {
  readonly sessionId: SessionId
  readonly toolCallId: ToolCallId
  readonly runs: boolean
  /** Whether the command waits for input. */
  readonly waitsForInput: boolean
  /** Whether the command continues after its call and can be stopped separately. */
  readonly canEnd: boolean
  /** Null if the command is running or was ended by a signal. */
  readonly exitCode: number | null
  /** End time in ms since 1970. Null if the command is running. */
  readonly endedAt: number | null
}

/** One of the user's own terminals. */
export interface OwnTerminal extends TerminalStatus {
  readonly name: string
  /** Whether the terminal works in the layer of its session. Otherwise it works in the folder. */
  readonly isInLayer: boolean
  /** Whether programs in it can write anywhere although it works in a layer. */
  readonly isUnconfined: boolean
}

/** Words that are typed at the prompt of a terminal. A control character could press Enter. */
export const TypedWords = z
  .string()
  .max(2_000)
  .regex(/^\P{Cc}*$/u)

const one = z.object({ sessionId: SessionId, toolCallId: ToolCallId })

export const terminalsApi = {
  attach: stream({ input: one, item: items<TerminalItem>() }),
  ack: command({ input: one.extend({ watcher: z.string().max(80), chars: z.number().int().nonnegative() }), output: returns<null>() }),
  write: command({ input: one.extend({ data: z.string().max(100_000) }), output: returns<{ readonly written: boolean }>() }),
  /** The states of all terminals. Sent at once and after each change. */
  status: stream({ input: z.object({}), item: items<readonly TerminalStatus[]>() }),
  /**
   * Starts the user's own shell where a session works, or in its folder, and types these words at its prompt without pressing Enter. No
   * agent works in this shell. `toolCallId` identifies it in the other calls.
   */
  openOwn: command({
    input: z.object({
      sessionId: SessionId,
      words: TypedWords,
      /** Whether the shell works in the folder even if the session works in a layer. */
      isInFolder: z.boolean().default(false),
    }),
    output: returns<{ readonly ok: true; readonly toolCallId: ToolCallId } | { readonly ok: false; readonly trouble: Trouble }>(),
  }),
  /** The user's own terminals that are open, oldest first. Sent at once and after each change. */
  own: stream({ input: z.object({}), item: items<readonly OwnTerminal[]>() }),
  /** Names one of the user's own terminals. An empty name changes nothing. */
  rename: command({ input: one.extend({ name: z.string().max(80) }), output: returns<null>() }),
  /** Stops a command that continued after its call, with everything that it started. `ended` is false if there is no such command. */
  end: command({ input: one, output: returns<{ readonly ended: boolean }>() }),
  resize: command({
    input: one.extend({ columns: z.number().int().min(2).max(1000), rows: z.number().int().min(1).max(1000) }),
    output: returns<null>(),
  }),
}

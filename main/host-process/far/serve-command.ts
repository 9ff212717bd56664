import type { ExecOptions, RunningTerminal } from '../../agent/ports/execution-environment.ts'
import type { CommandEvent } from '../wire/messages.ts'
import type { Want } from '../wire/schemas.ts'
import { createOutputCredit, type OutputCredit } from './output-credit.ts'

/** A command that runs for the near side. */
export interface ServedCommand {
  readonly credit: OutputCredit
  /** Null until the command runs in a terminal. */
  terminal(): RunningTerminal | null
  /** The options that make the command report what the near side wants to hear. */
  readonly options: Pick<ExecOptions, 'onOutput' | 'onProgress' | 'onStart' | 'onWaiting' | 'spool' | 'spoolText' | 'hold' | 'signal'> & {
    readonly onTerminal: (terminal: RunningTerminal) => void
  }
}

/** Turns the callbacks of a command into messages. */
export function serveCommand(
  wants: readonly Want[],
  signal: AbortSignal,
  tell: (event: CommandEvent, bytes?: Uint8Array) => void,
): ServedCommand {
  const credit = createOutputCredit()
  let terminal: RunningTerminal | null = null
  const output = (event: CommandEvent, length: number, bytes?: Uint8Array): void => {
    tell(event, bytes)
    credit.sent(length)
  }
  const has = (want: Want): boolean => wants.includes(want)
  return {
    credit,
    terminal: () => terminal,
    options: {
      signal,
      hold: credit,
      ...(has('start') && { onStart: (pid) => tell({ of: 'start', pid }) }),
      ...(has('progress') && { onProgress: (tail, bytes) => tell({ of: 'progress', tail, bytes }) }),
      ...(has('waiting') && { onWaiting: (waits) => tell({ of: 'waiting', waits }) }),
      ...(has('spool') && { spool: (bytes) => inPieces(bytes, (piece) => output({ of: 'spool' }, piece.length, piece)) }),
      ...(has('spoolText') && { spoolText: (bytes) => inPieces(bytes, (piece) => output({ of: 'spoolText' }, piece.length, piece)) }),
      ...(has('output') && {
        onOutput(chunk) {
          // The terminal’s data is the same text.
          if (terminal === null) output({ of: 'output', chunk }, chunk.text.length)
        },
      }),
      onTerminal(opened) {
        if (!has('terminal')) return
        terminal = opened
        tell({ of: 'terminal-open' })
        opened.onData((text) => {
          if (text !== '') output({ of: 'terminal-data', text }, text.length)
        })
        opened.onWaits((waits) => tell({ of: 'terminal-waits', waits }))
        opened.onExit((exitCode) => tell({ of: 'terminal-exit', exitCode }))
      },
    },
  }
}

/** The largest piece that is sent in one message. */
const PIECE = 256 * 1024

/** Calls `send` with all bytes in order. Splitting UTF-8 inside a character does no harm here: the near side only passes the bytes on. */
function inPieces(bytes: Uint8Array, send: (piece: Uint8Array) => void): void {
  if (bytes.length <= PIECE) return send(bytes)
  for (let from = 0; from < bytes.length; from += PIECE) send(bytes.subarray(from, from + PIECE))
}

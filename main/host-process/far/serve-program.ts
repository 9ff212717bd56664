import type { OpenedProgram } from '../../agent/ports/opened-program.ts'
import type { OutputName, ProgramEvent } from '../wire/messages.ts'
import { createStreamCredit, STREAM_PIECE, type StreamCredit } from '../wire/stream-credit.ts'

/** A program that the near side has opened. */
export interface ServedProgram {
  input(bytes: Buffer): void
  endInput(): void
  /** The near side has read this many bytes. */
  read(stream: OutputName, count: number): void
  /** Resolves when the program has ended and its output has been sent. */
  readonly finished: Promise<void>
}

export function serveProgram(program: OpenedProgram, tell: (event: ProgramEvent, bytes?: Uint8Array) => void): ServedProgram {
  const credits: Readonly<Record<OutputName, StreamCredit>> = { stdout: createStreamCredit(), stderr: createStreamCredit() }
  const send = async (stream: OutputName): Promise<void> => {
    for await (const bytes of program[stream] as AsyncIterable<Buffer>)
      for (let from = 0; from < bytes.length; from += STREAM_PIECE) {
        const piece = bytes.subarray(from, from + STREAM_PIECE)
        tell({ of: 'output', stream }, piece)
        await credits[stream].spend(piece.length)
      }
    tell({ of: 'output-end', stream })
  }
  tell({ of: 'opened' })
  const exit = program.ended.then((how) => tell({ of: 'exit', ...how }))
  return {
    // Input for a program that has ended is discarded.
    input: (bytes) => void program.stdin.write(bytes, () => tell({ of: 'input-taken', count: bytes.length })),
    endInput: () => void program.stdin.end(),
    read: (stream, count) => credits[stream].give(count),
    finished: Promise.all([exit, send('stdout'), send('stderr')]).then(() => {}),
  }
}

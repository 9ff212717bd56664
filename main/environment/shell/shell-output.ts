import type { ShellExecOptions } from '../../agent/ports/execution-environment.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import type { EmulatorSize } from '../output/terminal-emulator.ts'
import { createCommandTerminal } from '../process/command-terminal.ts'
import { type Collected, createPipedOutput } from '../process/output-collector.ts'
import { createPauses, followHold } from '../process/output-hold.ts'
import type { PtyCommand, CommandStart, StartedCommand } from '../process/started-command.ts'

/**
 * Number of bytes of the output of background jobs that are kept between two commands. The next command shows them first, as a terminal
 * would.
 */
const BETWEEN_BYTES = 64 * 1024

type Stream = 'stdout' | 'stderr'

/** The output of a persistent shell, split by command. */
export interface ShellOutput {
  readonly onBytes: CommandStart['onBytes']
  connect(process: { readonly started: StartedCommand; readonly pty: PtyCommand | null }): void
  /** Assigns the output from now on to this command. */
  begin(options: ShellExecOptions): ShellCommandOutput
}

export interface ShellCommandOutput {
  /** Resolves when all output before the end marker has been read, even if a viewer paused the output. */
  readUpTo(word: string): Promise<void>
  end(exitCode: number | null): Promise<Collected>
}

interface Sink {
  readonly take: (stream: Stream, bytes: Buffer) => void
  readonly end: (exitCode: number | null) => Promise<Collected>
}

export function createShellOutput(size: EmulatorSize | null, redactor: Redactor): ShellOutput {
  let process: { readonly started: StartedCommand; readonly pty: PtyCommand | null } | null = null
  let current = size
  let sink: Sink | null = null
  let words: Map<Stream, EndWord> | null = null
  let isReadOut: () => void = () => {}
  const between = new Map<Stream, Buffer>()
  const keep = (stream: Stream, bytes: Buffer): void => {
    const all = Buffer.concat([between.get(stream) ?? Buffer.alloc(0), bytes])
    between.set(stream, all.subarray(Math.max(0, all.length - BETWEEN_BYTES)))
  }
  const mayPause = (): boolean => words === null
  const onBytes = (stream: Stream, bytes: Buffer): void => {
    const word = words?.get(stream)
    if (!sink || (words && !word)) return keep(stream, bytes)
    const { before, behind } = word ? word.take(bytes) : { before: bytes, behind: null }
    if (before.length > 0) sink.take(stream, before)
    if (behind === null) return
    words?.delete(stream)
    if (behind.length > 0) keep(stream, behind)
    if (words?.size === 0) isReadOut()
  }
  const open = (options: ShellExecOptions): Sink => {
    const pty = process?.pty
    if (!pty || !current) {
      const pauses = createPauses(
        () => mayPause() && process?.started.pause(),
        () => process?.started.resume(),
      )
      const output = createPipedOutput({ ...options, redactor }, (isFull) => pauses('backlog', isFull))
      followHold(options.hold, pauses)
      return { take: output.takeBytes, end: output.end }
    }
    const terminal = createCommandTerminal({ ...options, redactor }, current)
    terminal.connect({
      ...pty,
      pause: () => mayPause() && pty.pause(),
      resize(columns, rows) {
        current = { columns, rows }
        pty.resize(columns, rows)
      },
    })
    options.onTerminal?.(terminal.running)
    return {
      take: (_stream, bytes) => terminal.onBytes(bytes),
      async end(exitCode) {
        const collected = await terminal.output.end()
        terminal.end(exitCode)
        return collected
      },
    }
  }
  return {
    onBytes,
    connect: (started) => (process = started),
    begin(options) {
      sink = open(options)
      for (const [stream, bytes] of between) sink.take(stream, bytes)
      between.clear()
      const mine = sink
      return {
        readUpTo(word) {
          const streams: readonly Stream[] = process?.pty ? ['stdout'] : ['stdout', 'stderr']
          words = new Map(streams.map((stream) => [stream, createEndWord(word)]))
          const { promise, resolve } = Promise.withResolvers<void>()
          isReadOut = resolve
          process?.started.resume()
          return promise
        },
        async end(exitCode) {
          sink = null
          words = null
          return mine.end(exitCode)
        },
      }
    },
  }
}

/** Searches for a word in a stream of bytes, even if it is split between pieces. */
export interface EndWord {
  /** `before`: the bytes that certainly precede the word. `behind`: the bytes after the word. It is null until the word is found. */
  take(bytes: Buffer): { readonly before: Buffer; readonly behind: Buffer | null }
}

export function createEndWord(word: string): EndWord {
  const sought = Buffer.from(word)
  let held = Buffer.alloc(0)
  return {
    take(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const at = all.indexOf(sought)
      if (at >= 0) {
        held = Buffer.alloc(0)
        return { before: all.subarray(0, at), behind: all.subarray(at + sought.length) }
      }
      const cut = all.length - beginningAtEnd(all, sought)
      held = Buffer.from(all.subarray(cut))
      return { before: all.subarray(0, cut), behind: null }
    },
  }
}

/** The number of bytes at the end that could be the beginning of the word. */
function beginningAtEnd(bytes: Buffer, word: Buffer): number {
  for (let length = Math.min(word.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(word.subarray(0, length))) return length
  }
  return 0
}

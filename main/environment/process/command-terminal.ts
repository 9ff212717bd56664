import type { ExecOptions, RunningTerminal } from '../../agent/ports/execution-environment.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import type { EmulatorSize } from '../output/terminal-emulator.ts'
import { ScreenRecorder } from '../output/screen-recorder.ts'
import { sleepsAlone } from '../waiting-for-input/tty-readers.ts'
import { type InputWatch, watchInput } from '../waiting-for-input/watch-input.ts'
import { OutputCollector, type WithRedactor } from './output-collector.ts'
import { createPauses, followHold } from './output-hold.ts'
import { OutputQueue } from './output-queue.ts'
import type { PtyCommand, PtyHost, CommandStart } from './started-command.ts'
import type { OwnedProcess } from './process-table.ts'

/** The pty of one command. Its output goes to the collector and to the viewers. */
export interface CommandTerminal {
  readonly running: RunningTerminal
  readonly output: Pick<OutputCollector, 'end'>
  /** Called with the output in order, as it arrives. */
  onBytes(bytes: Buffer): void
  /** Call this when the pty is open. The command's processes are the pty's `pid` and its descendants. */
  connect(pty: PtyCommand): void
  /** Call this when the command and then its output have ended, with null if a signal killed it. */
  end(exitCode: number | null): void
}

type Listeners = Pick<ExecOptions, 'onOutput' | 'spool' | 'spoolText' | 'onProgress' | 'onWaiting' | 'hold'> & WithRedactor

export function createCommandTerminal(options: Listeners, size: EmulatorSize): CommandTerminal {
  let pty: PtyCommand | null = null
  let watch: InputWatch | null = null
  const pauses = createPauses(
    () => pty?.pause(),
    () => pty?.resume(),
  )
  const output = new OutputCollector(options, size, (isFull) => pauses('backlog', isFull))
  const recorder = new ScreenRecorder(size, (isFull) => pauses('recorder', isFull))
  const data = new Emitter<string>()
  const exit = new Emitter<number | null>()
  const waits = new Emitter<boolean>()
  const redacted = options.redactor.stream((bytes) => {
    const text = output.take('stdout', bytes)
    watch?.printed(text)
    recorder.write(text, output.isPlain)
    data.fire(text)
  })
  const queue = new OutputQueue(redacted.write, (isFull) => pauses('queue', isFull))
  return {
    output: {
      async end() {
        await queue.end()
        redacted.end()
        return output.end()
      },
    },
    running: {
      write: (text) => pty?.write(text),
      resize(columns, rows) {
        pty?.resize(columns, rows)
        queue.after(() => {
          output.resize({ columns, rows })
          recorder.resize({ columns, rows })
        })
      },
      onData: data.event,
      onExit: exit.event,
      onWaits: waits.event,
      isIdle: () => pty !== null && sleepsAlone(pty.pid),
      screen: () => output.screen(),
      snapshot: (part) => recorder.snapshot(part),
    },
    onBytes: (bytes) => queue.write(bytes),
    connect(opened) {
      pty = opened
      followHold(options.hold, (reason, isHeld) => {
        queue.hold(isHeld)
        pauses(reason, isHeld)
      })
      watch = watchInput(opened.pid, (isWaiting) => {
        options.onWaiting?.(isWaiting)
        waits.fire(isWaiting)
      })
    },
    end(exitCode) {
      watch?.stop()
      pty = null
      exit.fire(exitCode)
    },
  }
}

/** Starts a program in a pty, and lets windows watch the terminal before its first output. */
export async function startInTerminal(
  host: PtyHost,
  what: Omit<CommandStart, 'onBytes'>,
  options: ExecOptions & WithRedactor,
  { columns, rows, onOpen }: NonNullable<ExecOptions['terminal']>,
  own: (pid: number) => OwnedProcess,
) {
  const terminal = createCommandTerminal(options, { columns, rows })
  const started = await host.open({ ...what, columns, rows, onBytes: (_stream, bytes) => terminal.onBytes(bytes) })
  terminal.connect(started)
  const owned = own(started.pid)
  onOpen(terminal.running)
  return { started, owned, output: terminal.output, inTerminal: true, onEnd: terminal.end }
}

import type { ExecOptions, RunningTerminal } from '../../agent/ports/execution-environment.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import type { EmulatorSize } from '../output/emulator.ts'
import { ReplayScreen } from '../output/replay-screen.ts'
import { type InputWatch, watchInput } from '../waiting/watch-input.ts'
import { OutputCollector, type WithRedactor } from './output-collector.ts'
import type { PtyCommand } from './pty-host.ts'

/** A pty for as long as one command has it: what comes out of it goes to the collector and to whoever watches. */
export interface CommandTerminal {
  readonly running: RunningTerminal
  readonly output: Pick<OutputCollector, 'end'>
  /** In order, as it arrives. */
  onBytes(bytes: Buffer): void
  /** The pty is there; `pid`: the command's processes are this one and those below it. */
  connect(pty: PtyCommand): void
  /** The command has ended. Null: a signal ended it. */
  end(exitCode: number | null): void
}

type Listeners = Pick<ExecOptions, 'onOutput' | 'spool' | 'spoolText' | 'onProgress' | 'onWaiting'> & WithRedactor

export function createCommandTerminal(options: Listeners, size: EmulatorSize): CommandTerminal {
  const pauses = new Set<'watcher' | 'backlog' | 'replay'>()
  let pty: PtyCommand | null = null
  let watch: InputWatch | null = null
  const hold = (why: 'watcher' | 'backlog' | 'replay', isHeld: boolean): void => {
    const wasPaused = pauses.size > 0
    if (isHeld) pauses.add(why)
    else pauses.delete(why)
    if (wasPaused === pauses.size > 0) return
    if (isHeld) pty?.pause()
    else pty?.resume()
  }
  const output = new OutputCollector(options, size, (isFull) => hold('backlog', isFull))
  const replay = new ReplayScreen(size, (isFull) => hold('replay', isFull))
  const data = new Emitter<string>()
  const exit = new Emitter<number | null>()
  const waits = new Emitter<boolean>()
  const redacted = options.redactor.stream((bytes) => {
    const text = output.take('stdout', bytes)
    watch?.printed(text)
    replay.write(text, output.isPlain)
    data.fire(text)
  })
  return {
    output: {
      end() {
        redacted.end()
        return output.end()
      },
    },
    running: {
      write: (text) => pty?.write(text),
      resize(columns, rows) {
        pty?.resize(columns, rows)
        output.resize({ columns, rows })
        replay.resize({ columns, rows })
      },
      pause: () => hold('watcher', true),
      resume: () => hold('watcher', false),
      onData: data.event,
      onExit: exit.event,
      onWaits: waits.event,
      screen: () => output.screen(),
      snapshot: () => replay.snapshot(),
    },
    onBytes: redacted.write,
    connect(opened) {
      pty = opened
      watch = watchInput(opened.pid, (isWaiting) => {
        options.onWaiting?.(isWaiting)
        waits.fire(isWaiting)
      })
    },
    end(exitCode) {
      redacted.end()
      watch?.stop()
      pty = null
      exit.fire(exitCode)
    },
  }
}

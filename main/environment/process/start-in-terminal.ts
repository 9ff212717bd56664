import type { ExecOptions, RunningTerminal } from '../../agent/ports/execution-environment.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import { ReplayScreen } from '../output/replay-screen.ts'
import { OutputCollector } from './output-collector.ts'
import type { OwnedProcess } from './process-table.ts'
import type { PtyCommand, PtyHost } from './pty-host.ts'
import type { CommandStart } from './started-command.ts'

/** Starts a program in a pty and offers the terminal to be watched before its first output. */
export async function startInTerminal(
  host: PtyHost,
  what: Omit<CommandStart, 'onBytes'>,
  options: ExecOptions,
  terminal: NonNullable<ExecOptions['terminal']>,
  own: (pid: number) => OwnedProcess,
) {
  const { columns, rows } = terminal
  const pauses = new Set<'watcher' | 'backlog' | 'replay'>()
  let pty: PtyCommand | null = null
  const hold = (why: 'watcher' | 'backlog' | 'replay', isHeld: boolean): void => {
    const wasPaused = pauses.size > 0
    if (isHeld) pauses.add(why)
    else pauses.delete(why)
    if (wasPaused === pauses.size > 0) return
    if (isHeld) pty?.pause()
    else pty?.resume()
  }
  const output = new OutputCollector(options, (isFull) => hold('backlog', isFull))
  const replay = new ReplayScreen({ columns, rows }, (isFull) => hold('replay', isFull))
  const data = new Emitter<string>()
  const exit = new Emitter<number | null>()
  const onBytes = (_stream: 'stdout' | 'stderr', bytes: Buffer): void => {
    const text = output.take('stdout', bytes)
    replay.write(text, output.isPlain)
    data.fire(text)
  }
  const started = await host.open({ ...what, columns, rows, onBytes })
  pty = started
  const running: RunningTerminal = {
    write: started.write,
    resize(newColumns, newRows) {
      const size = { columns: newColumns, rows: newRows }
      started.resize(newColumns, newRows)
      output.resize(size)
      replay.resize(size)
    },
    pause: () => hold('watcher', true),
    resume: () => hold('watcher', false),
    onData: data.event,
    onExit: exit.event,
    screen: () => output.screen(),
    snapshot: () => replay.snapshot(),
  }
  const owned = own(started.pid)
  terminal.onOpen(running)
  return { started, owned, output, inTerminal: true, onEnd: (exitCode: number | null) => exit.fire(exitCode) }
}

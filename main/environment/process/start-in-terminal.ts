import type { ExecOptions } from '../../agent/ports/execution-environment.ts'
import { createCommandTerminal } from './command-terminal.ts'
import type { WithRedactor } from './output-collector.ts'
import type { OwnedProcess } from './process-table.ts'
import type { PtyHost } from './pty-host.ts'
import type { CommandStart } from './started-command.ts'

/** Starts a program in a pty and offers the terminal to be watched before its first output. */
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

import type { CommandStart, StartedCommand } from './started-command.ts'

/** Opens pseudo-terminals; what stands behind it may move to a process of its own (DESIGN §5). */
export interface PtyHost {
  /** Rejects with a coded failure when the program cannot be started. */
  open(start: CommandStart & { readonly columns: number; readonly rows: number }): Promise<PtyCommand>
}

/** A command whose input and output are a terminal. */
export interface PtyCommand extends StartedCommand {
  write(data: string): void
  resize(columns: number, rows: number): void
}

import { useNoProgramsFrom } from '../own-programs/own-programs.ts'
import type { CommandCopies } from '../../agent/ports/command-copies.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { type CrashNotes, NO_NOTES } from '../crash-notes.ts'
import { loadNodePtyHost } from '../process/node-pty-host.ts'
import { createProcessTable } from '../process/process-table.ts'
import type { PtyHost } from '../process/started-command.ts'
import { type CopyParts, createOverlayCommandCopies } from './overlay-command-copies.ts'
import { NOTHING_HIDDEN } from '../nothing-hidden.ts'

export interface LocalCopyOptions extends Omit<CopyParts, 'commands'> {
  readonly notes?: CrashNotes
  /** Variables that are passed on although they look like secrets. */
  readonly allowVariables?: () => readonly string[]
  /** Applied to all output of commands. If left out, nothing is hidden. */
  readonly redactor?: Redactor
}

/** Copies whose commands get the same environment, shell and terminals as other commands of this machine. */
export function createLocalCommandCopies({
  notes = NO_NOTES,
  redactor = NOTHING_HIDDEN,
  allowVariables = () => [],
  ...parts
}: LocalCopyOptions): CommandCopies {
  useNoProgramsFrom(parts.folder)
  let ptyHost: Promise<PtyHost | null> | undefined
  return createOverlayCommandCopies({
    ...parts,
    commands: {
      table: createProcessTable(notes),
      envPolicy: { policy: 'inherit_core', allow: allowVariables },
      redactor,
      ptyHost: () => (ptyHost ??= loadNodePtyHost()),
    },
  })
}

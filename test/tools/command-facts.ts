import type { ShellDetails } from '../../shared/tools/shell.ts'

/** The details of a command that ran on pipes to its end. */
export function commandFacts(own: Pick<ShellDetails, 'command' | 'cwd' | 'exitCode'>): ShellDetails {
  return { timedOut: false, terminal: false, rawBlob: null, ...own }
}

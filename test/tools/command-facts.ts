import { expect } from 'vitest'
import type { ShellDetails } from '../../shared/tools/shell.ts'

/** The details of a command that ran on pipes to its end. `forModel` differs from run to run: it has the duration. */
export function commandFacts(own: Pick<ShellDetails, 'command' | 'cwd' | 'exitCode'>): ShellDetails {
  return { timedOut: false, terminal: false, rawBlob: null, forModel: expect.any(Array) as string[], ...own }
}

import { expect } from 'vitest'
import type { ShellDetails } from '../../shared/tools/built-in/shell.ts'

/** Returns the details of a command that ran to its end on pipes. `forModel` contains the duration, so it differs from run to run. */
export function commandFacts(own: Pick<ShellDetails, 'command' | 'cwd' | 'exitCode'>): ShellDetails {
  return { timedOut: false, terminal: false, rawBlob: null, forModel: expect.any(Array) as string[], ...own }
}

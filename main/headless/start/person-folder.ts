import { join } from 'node:path'

export interface Started {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the process is. */
  readonly cwd: string
  /** Real path of our package. */
  readonly root: string
}

/** Our package, from source. */
export const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * The folder in which the person typed the command. `npm run agent` goes to our package's root and leaves INIT_CWD behind; any other process
 * below an npm script inherits that variable too, where it says nothing about us.
 */
export function personFolder({ env, cwd, root }: Started): string {
  const byNpm = env['npm_lifecycle_event'] === 'agent' && cwd === root
  return (byNpm && env['INIT_CWD']) || cwd
}

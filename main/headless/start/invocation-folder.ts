import { join } from 'node:path'

export interface Started {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory of the process. */
  readonly cwd: string
  /** Real path of our package. */
  readonly root: string
}

/** The root of our package when run from source. */
export const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * The folder in which the user typed the command. `npm run agent` changes to our package's root and sets INIT_CWD. Other processes below an npm
 * script inherit that variable too, so it counts only in this case.
 */
export function invocationFolder({ env, cwd, root }: Started): string {
  const byNpm = env['npm_lifecycle_event'] === 'agent' && cwd === root
  return (byNpm && env['INIT_CWD']) || cwd
}

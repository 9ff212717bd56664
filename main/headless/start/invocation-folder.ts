import { join } from 'node:path'

export interface Started {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory of the process. */
  readonly cwd: string
  /** The real path of Countersign's package. */
  readonly root: string
}

/** The root of Countersign's package when run from source. */
export const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * The folder in which the user typed the command. `npm run agent` changes to the root of Countersign's package and sets INIT_CWD. Other
 * processes that an npm script starts inherit INIT_CWD too, so it is used only if this process was started by `npm run agent`.
 */
export function invocationFolder({ env, cwd, root }: Started): string {
  const byNpm = env['npm_lifecycle_event'] === 'agent' && cwd === root
  return (byNpm && env['INIT_CWD']) || cwd
}

import { relative } from 'node:path'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { mayHoldSecrets } from '../approval/command-line/known-places.ts'
import { isInside } from '../is-inside.ts'

/**
 * The real path of a file whose text goes into a request without a call of the agent. A failure says why the file must not be read: it is
 * outside the root, or its own name or the name behind a link is that of a file with secrets. Rejects if the path cannot be resolved.
 */
export async function readablePath(env: ExecutionEnvironment, root: string, path: string): Promise<Result<string, string>> {
  const [realRoot, real] = await Promise.all([env.realpath(root), env.realpath(path)])
  if (!isInside(realRoot, real)) return failed('It leads out of its folder.')
  return isHidden(relative(root, path)) || isHidden(relative(realRoot, real)) ? failed('It may contain secrets.') : ok(real)
}

const isHidden = (path: string): boolean => path.split(/[/\\]/u).includes('.git') || mayHoldSecrets(path)
